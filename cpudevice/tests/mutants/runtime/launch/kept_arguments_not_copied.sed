# file: cpudevice/runtime/launch/launch.c
# test: cpudevice/tests/runtime/graphs
s/memcpy(kept->arguments\[i\], arguments\[i\], parameters\[i\].size);/kept->arguments[i] = (void *)arguments[i];/
