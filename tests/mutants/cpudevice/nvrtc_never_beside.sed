# file: cpudevice/libraries/nvrtc/nvrtc.c
# test: libraries.sh
s/    if (beside)$/    if (false)/
