# file: cpudevice/runtime/memory/pool.c
# test: cpudevice/tests/runtime/devices.sh devices
s/ || list\[i\].location.id == device_of(pool)//
