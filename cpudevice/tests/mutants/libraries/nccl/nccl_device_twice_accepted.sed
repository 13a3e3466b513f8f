# file: cpudevice/libraries/nccl/nccl.c
# test: cpudevice/tests/libraries/libraries.sh nccl_ranks
s/g->status = ncclInvalidUsage;/;/
