# file: cpudevice/compiler/emit/arithmetic_tree.c
# test: conformance/loops/arithmetic/functions_named_as_types
s/^            type_here(b, last));/            true);/
