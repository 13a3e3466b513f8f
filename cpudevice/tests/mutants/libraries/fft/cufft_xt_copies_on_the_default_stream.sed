# file: cpudevice/libraries/fft/cufft_xt.c
# test: cpudevice/tests/libraries/libraries.sh cufft_xt_by_sums
s/bytes, cudaMemcpyDefault, p->stream)/bytes, cudaMemcpyDefault, 0)/
