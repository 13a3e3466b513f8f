# file: cpudevice/include/cpudev_nv_atomic.h
# test: conformance/loops/atomics/nv_atomics
s/^\(CPUDEV_NV_FETCH(max, .*\)o < v ? v : o)/\1o < v ? o : v)/
