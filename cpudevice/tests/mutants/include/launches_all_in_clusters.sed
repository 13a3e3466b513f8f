# file: cpudevice/include/cpudev_core.h
# test: cpudevice/tests/runtime/clusters
s/uint3 cluster; /dim3 cluster; /
