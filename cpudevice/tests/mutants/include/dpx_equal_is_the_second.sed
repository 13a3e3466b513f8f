# file: cpudevice/include/cpudev_dpx.h
# test: conformance/loops/arithmetic/dpx
s/CPUDEV_DPX_WHICH(__vibmax_s32, int, CPUDEV_MAX, >=)/CPUDEV_DPX_WHICH(__vibmax_s32, int, CPUDEV_MAX, >)/
