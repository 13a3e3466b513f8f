# file: cpudevice/driver/flags.c
# test: cpudevice/tests/compiler/driver strict
s/-isystem/-I/
