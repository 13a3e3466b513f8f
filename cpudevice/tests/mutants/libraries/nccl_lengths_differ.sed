# file: cpudevice/libraries/nccl/nccl_group.c
# test: cpudevice/tests/libraries/libraries.sh
s/if (partner->bytes != t->bytes)/if (false)/
