# file: cpudevice/compiler/kernel/canonical_inline.c
# test: cpudevice/tests/compiler/compiler_test golden dumps
s/? type_of_variable(x, a) : NULL/? format("int") : NULL/
