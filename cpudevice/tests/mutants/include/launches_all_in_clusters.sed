# file: cpudevice/include/cpudev_abi.h
# test: cpudevice/tests/runtime/clusters
s/uint3 cluster; /dim3 cluster; /
