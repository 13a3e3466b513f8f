# file: cpudevice/libraries/fft/cufft_xt.c
# test: cpudevice/tests/libraries/libraries.sh cufft_xt_by_sums
s/in->subFormat = CUFFT_XT_FORMAT_INPLACE_SHUFFLED;/(void)0;/
