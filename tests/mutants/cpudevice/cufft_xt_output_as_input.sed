# file: cpudevice/libraries/fft/cufft_xt.c
# test: libraries.sh
s/return cufft_bytes(p, format == CUFFT_XT_FORMAT_OUTPUT, false);/return cufft_bytes(p, false, false);/
