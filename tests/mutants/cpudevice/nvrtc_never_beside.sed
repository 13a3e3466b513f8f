# file: cpudevice/libraries/nvrtc.c
# test: libraries.sh nvrtc
s/    if (beside)$/    if (false)/
