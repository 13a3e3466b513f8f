# file: cpudevice/include/mma.h
# test: conformance/loops/warp/wmma_layout
s/f.x\[i\] = f.x\[i - shape::needed\];/f.x[i] = f.x[0];/
