# file: cpudevice/libraries/fft/cufft_xt.c
# test: cpudevice/tests/libraries/libraries.sh
s/bytes, cudaMemcpyDefault, p->stream)/bytes, cudaMemcpyDefault, 0)/
