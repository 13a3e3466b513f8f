# file: cpudevice/libraries/nvrtc/nvrtc.c
# test: cpudevice/tests/libraries/libraries.sh
s/    if (beside)$/    if (false)/
