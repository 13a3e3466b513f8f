# file: cpudevice/libraries/nccl/nccl.c
# test: cpudevice/tests/libraries/libraries.sh nccl
s/return too_few_devices(rank, nranks, devices);/return begin(comm, NULL, 0, device);/
