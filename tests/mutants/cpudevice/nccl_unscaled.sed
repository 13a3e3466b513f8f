# file: cpudevice/libraries/nccl/nccl_operations.c
# test: libraries.sh
s/if (p\.by\.number >= ncclNumOps)/if (false)/
