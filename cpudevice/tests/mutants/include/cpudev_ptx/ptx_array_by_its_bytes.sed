# file: cpudevice/include/cpudev_ptx/types.h
# test: conformance/loops/memory/ptx_of_arrays
s/return get<constraint, Raw>(&x\[0\]);/Raw r = 0; memcpy(\&r, (const void *)\&x[0], sizeof x < sizeof r ? sizeof x : sizeof r); return r;/
