# file: cpudevice/include/cpudev_wmma_small.h
# test: conformance/loops/warp/wmma_small
s/op == experimental::bmmaBitOpAND/false/
