# file: cpudevice/runtime/memory/pool.c
# test: cpudevice/tests/runtime/devices.sh devices
s/if (chosen\[d\] == pool)/if (0)/
