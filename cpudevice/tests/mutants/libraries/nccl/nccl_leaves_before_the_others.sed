# file: cpudevice/libraries/nccl/nccl_ranks.c
# test: cpudevice/tests/libraries/libraries.sh nccl_ranks
s/\.finished) < number)/.finished) < 0)/
