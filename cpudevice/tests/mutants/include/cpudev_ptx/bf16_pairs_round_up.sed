# file: cpudevice/include/cpudev_ptx/convert.h
# test: cpudevice/tests/ptx/ptx
s/(a + 0x7fff + (a >> 16 & 1)) >> 16/(a + 0x8000) >> 16/
