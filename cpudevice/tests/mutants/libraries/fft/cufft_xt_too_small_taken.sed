# file: cpudevice/libraries/fft/cufft_xt.c
# test: cpudevice/tests/libraries/libraries.sh cufft_xt_by_sums
s/d->descriptor->size\[0\] >= bytes/d->descriptor->size[0] >= !!bytes/
