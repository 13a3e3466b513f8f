# file: cpudevice/driver/diagnostics.c
# test: driver
s/const bool marked = .*/const bool marked = false;/
