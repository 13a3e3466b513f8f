# file: cpudevice/libraries/cufft_xt.c
# test: libraries.sh cufft_xt_by_sums
s/d->descriptor->size\[0\] >= bytes/d->descriptor->size[0] >= !!bytes/
