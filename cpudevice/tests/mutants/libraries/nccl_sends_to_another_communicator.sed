# file: cpudevice/libraries/nccl/nccl_group.c
# test: cpudevice/tests/libraries/libraries.sh
s/if ((\*at)->comm == first->comm && /if (/
