# file: cpudevice/include/cpudev_mma.h
# test: conformance/loops/warp/wmma_layout
s/turned = m == 8 \&\& n == 32;/turned = false;/
