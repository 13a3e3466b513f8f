# file: cpudevice/libraries/nccl_group.c
# test: libraries.sh nccl_streams
s/^        if (!partner)$/        if (!partner \&\& !t->send)\n            return ncclSuccess;\n&/
