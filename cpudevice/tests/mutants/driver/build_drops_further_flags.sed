# file: cpudevice/driver/objects.c
# test: cpudevice/tests/compiler/driver_build
s/    if (further)/    if (0)/
