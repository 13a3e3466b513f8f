# file: cpudevice/libraries/nvrtc/nvrtc.c
# test: cpudevice/tests/libraries/libraries.sh nvrtc
s/ || strstr(log, "cucc：未知选项")//
