# file: cpudevice/libraries/nccl/nccl_ranks.c
# test: cpudevice/tests/libraries/libraries.sh nccl_ranks
s/\.came) < number)/.came) < 0)/
