# file: cpudevice/libraries/cufft_xt.c
# test: libraries.sh cufft_xt_by_sums
s/in->subFormat = CUFFT_XT_FORMAT_INPLACE_SHUFFLED;/(void)0;/
