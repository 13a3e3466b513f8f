# file: cpudevice/libraries/nvrtc.c
# test: libraries.sh
s/    if (beside)$/    if (false)/
