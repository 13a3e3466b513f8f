# file: cpudevice/include/cooperative_groups.h
# test: cpudevice/tests/compiler/headers in_c
s/^#if defined __cplusplus && defined __CUDACC__$/#if 1/
