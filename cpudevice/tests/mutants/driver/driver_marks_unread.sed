# file: cpudevice/driver/diagnostics.c
# test: cpudevice/tests/compiler/driver mistakes
s/const bool marked = .*/const bool marked = false;/
