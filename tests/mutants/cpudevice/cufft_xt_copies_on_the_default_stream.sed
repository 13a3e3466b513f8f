# file: cpudevice/libraries/cufft_xt.c
# test: libraries.sh cufft_xt_by_sums
s/bytes, cudaMemcpyDefault, p->stream)/bytes, cudaMemcpyDefault, 0)/
