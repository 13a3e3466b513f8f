# file: cpudevice/include/cpudev_ptx/video.h
# test: cpudevice/tests/ptx/ptx_video
s/result += (uint32_t)x;/result += (uint32_t)x \& 255;/
