# file: cpudevice/libraries/nccl_group.c
# test: libraries.sh nccl_streams
s/if ((\*at)->comm == first->comm && /if (/
