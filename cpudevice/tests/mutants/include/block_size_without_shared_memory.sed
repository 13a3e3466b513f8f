# file: cpudevice/include/cpudev_templates.h
# test: conformance/loops/launches/block_size_for_shared_memory
s/threads, shared_of(threads), flags/threads, 0, flags/
