# file: cpudevice/include/cpudev_ptx/memory.h
# test: conformance/check/memory/strong_vectors
s/if constexpr (strong && __M::count() > 1)/if constexpr (false \&\& __M::count() > 1)/
