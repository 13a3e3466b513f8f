# file: cpudevice/libraries/fft/cufft_xt.c
# test: cpudevice/tests/libraries/libraries.sh
s/d->descriptor->size\[0\] >= bytes/d->descriptor->size[0] >= !!bytes/
