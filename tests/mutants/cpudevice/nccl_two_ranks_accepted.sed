# file: cpudevice/libraries/nccl.c
# test: libraries.sh nccl
s/return nranks > 1 ? one_rank_only(rank) : begin(comm);/return begin(comm);/
