# file: cpudevice/libraries/fft/cufft_xt.c
# test: libraries.sh
s/d->descriptor->size\[0\] >= bytes/d->descriptor->size[0] >= !!bytes/
