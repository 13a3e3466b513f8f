# file: cpudevice/runtime/memory/pool.c
# test: cpudevice/tests/runtime/devices.sh devices
s/!pool || device_of(pool) != device)/!pool)/
