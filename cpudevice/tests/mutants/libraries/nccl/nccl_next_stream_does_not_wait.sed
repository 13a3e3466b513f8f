# file: cpudevice/libraries/nccl/nccl_ranks.c
# test: cpudevice/tests/libraries/libraries.sh nccl_ranks
s/comm->last && comm->last_stream != stream)/false)/
