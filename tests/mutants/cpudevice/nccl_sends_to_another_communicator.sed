# file: cpudevice/libraries/nccl/nccl_group.c
# test: libraries.sh
s/if ((\*at)->comm == first->comm && /if (/
