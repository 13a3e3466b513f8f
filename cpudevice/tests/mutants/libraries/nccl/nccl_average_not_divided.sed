# file: cpudevice/libraries/nccl/nccl_sums.c
# test: cpudevice/tests/libraries/libraries.sh nccl_ranks
s/const int divisor = s\.op == ncclAvg ? s\.ranks : 1;/const int divisor = 1;/
