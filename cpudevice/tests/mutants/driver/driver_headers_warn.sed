# file: cpudevice/driver/flags.c
# test: cpudevice/tests/compiler/driver programs
s/-isystem/-I/
