# file: cpudevice/driver/main.c
# test: cpudevice/tests/compiler/headers links
s/    return \*output_of(d, &c) != 0;/    return false;/
