# file: cpudevice/libraries/nccl/nccl.c
# test: cpudevice/tests/libraries/libraries.sh nccl_ranks
s/s->key\[mine\[at - 1\]\] > s->key\[r\]/false/
