# file: cpudevice/driver/flags.c
# test: cpudevice/tests/compiler/driver options
s/ -fno-unroll-loops//
