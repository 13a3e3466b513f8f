# file: cpudevice/runtime/launch/kernel_heap.c
# test: conformance/loops/memory/heap_limit
s/if (bytes >= limit || now >= limit - bytes)/if (bytes >= limit)/
