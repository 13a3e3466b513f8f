# file: cpudevice/libraries/nccl_operations.c
# test: libraries.sh
s/if (p\.by\.number >= ncclNumOps)/if (false)/
