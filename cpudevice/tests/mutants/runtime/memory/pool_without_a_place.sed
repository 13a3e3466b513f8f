# file: cpudevice/runtime/memory/pool.c
# test: cpudevice/tests/runtime/devices.sh devices
s/ || !location_exists(&props->location))/)/
