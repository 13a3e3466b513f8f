# file: cpudevice/libraries/nvrtc/nvrtc.c
# test: cpudevice/tests/libraries/libraries.sh nvrtc
s/    if (beside)$/    if (false)/
