# file: cpudevice/libraries/nccl/nccl_group.c
# test: libraries.sh
s/^        if (!partner)$/        if (!partner \&\& !t->send)\n            return ncclSuccess;\n&/
