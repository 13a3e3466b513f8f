# file: cpudevice/driver/build.c
# test: cpudevice/tests/toolkit/shared.sh beside
s/-Wl,-Bsymbolic //
