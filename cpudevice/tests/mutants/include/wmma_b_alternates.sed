# file: cpudevice/include/cpudev_mma.h
# test: conformance/loops/warp/wmma_layout
s/l->lines == 16 \&\& use != CPUDEV_WMMA_B/l->lines == 16/
