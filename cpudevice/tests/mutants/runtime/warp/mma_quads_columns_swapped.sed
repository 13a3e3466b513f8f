# file: cpudevice/runtime/warp/ptx_mma.c
# test: cpudevice/tests/ptx/ptx
s/n = (v & 4) + (i & 2) + (v & 1);/n = (v \& 4) + (v \& 2) + (i \& 1);/
