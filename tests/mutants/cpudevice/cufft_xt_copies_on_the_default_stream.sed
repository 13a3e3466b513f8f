# file: cpudevice/libraries/fft/cufft_xt.c
# test: libraries.sh
s/bytes, cudaMemcpyDefault, p->stream)/bytes, cudaMemcpyDefault, 0)/
