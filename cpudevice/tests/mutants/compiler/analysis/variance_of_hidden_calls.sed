# file: cpudevice/compiler/analysis/variance.c
# test: cpudevice/tests/compiler/compiler_test
s/ && !hidden_by_program(u, f, t, name);/;/
