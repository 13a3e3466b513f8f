# file: cpudevice/compiler/emit/arithmetic_tree.c
# test: conformance/loops/arithmetic/division_assign
s/format("= +%s %.\*s "/format("= %s %.*s "/
