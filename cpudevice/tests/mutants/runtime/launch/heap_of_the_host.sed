# file: cpudevice/runtime/launch/kernel_heap.c
# test: conformance/loops/values/printf_as_argument
0,/if (!cpudev_on_device())/s//if (0)/
