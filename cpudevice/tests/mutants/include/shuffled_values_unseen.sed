# file: cpudevice/include/cooperative_groups.h
# test: cpudevice/tests/random/random_accesses
s/CPUDEV_MEMBER __T shfl/__attribute__((noinline)) __T shfl/
