# file: cpudevice/libraries/nccl_group.c
# test: libraries.sh
s/if ((\*at)->comm == first->comm && /if (/
