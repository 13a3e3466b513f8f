# file: cpudevice/include/cpudev_core.h
# test: cpudevice_clusters
s/uint3 cluster; /dim3 cluster; /
