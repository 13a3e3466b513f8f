# file: cpudevice/compiler/kernel/canonical_inline.c
# test: cpudevice/tests/compiler/compiler_test
s/? type_of_variable(x, a) : NULL/? format("int") : NULL/
