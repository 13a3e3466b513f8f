# file: cpudevice/compiler/analysis/variance.c
# test: cpudevice/tests/compiler/compiler_test golden dumps
s/ && !hidden_by_program(u, f, t, name);/;/
