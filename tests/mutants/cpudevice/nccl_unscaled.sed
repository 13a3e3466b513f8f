# file: cpudevice/libraries/nccl_operations.c
# test: libraries.sh nccl
s/if (p\.by\.number >= ncclNumOps)/if (false)/
