# file: cpudevice/include/cpudev_check_pre.h
# test: cpudevice/tests/compiler/headers in_kernels
s/^#define __SANITIZE_THREAD__ 1$//
