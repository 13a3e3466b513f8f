# file: cpudevice/compiler/emit/arithmetic_names.c
# test: cpudevice/tests/compiler/driver programs
s/^            static_constant(t, i, &found->constants);/            ;/
