# file: cpudevice/libraries/cufft_xt.c
# test: libraries.sh cufft_xt
s/d->descriptor->size\[0\] >= bytes/d->descriptor->size[0] >= !!bytes/
