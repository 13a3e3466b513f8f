# file: cpudevice/runtime/device/call.c
# test: cpudevice/tests/checker/check_mistakes.sh host/result_in_device_memory
s/if (observed.any \&\& p \&\& !cpudev_on_device())/if (observed.any \&\& p \&\& cpudev_on_device())/
