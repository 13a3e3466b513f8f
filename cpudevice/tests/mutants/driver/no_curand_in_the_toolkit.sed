# file: cpudevice/driver/options.c
# test: cpudevice/tests/toolkit/cmake.sh targets
s/"curand", "curand_static", NULL/NULL/
