# file: cpudevice/libraries/cufft.c
# test: libraries.sh cufft_xt_by_sums
s/(size_t)(p->batch - 1) \* (size_t)s.dist + last/(size_t)p->batch * (size_t)s.dist + last/
