# file: cpudevice/libraries/fft/cufft.c
# test: cpudevice/tests/libraries/libraries.sh cufft_xt_by_sums
s/(size_t)(p->batch - 1) \* (size_t)s.dist + last/(size_t)p->batch * (size_t)s.dist + last/
