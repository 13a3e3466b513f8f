# file: cpudevice/include/cpudev_abi.h
# test: cpudevice/tests/runtime/clusters blocks_know_their_cluster
s/uint3 cluster; /dim3 cluster; /
