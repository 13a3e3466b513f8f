# file: cpudevice/libraries/nccl/nccl_ranks.c
# test: cpudevice/tests/libraries/libraries.sh nccl_ranks_check
/library_reads(q->from/d
