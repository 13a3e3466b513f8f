# file: cpudevice/checker/host/streams.c
# test: cpudevice/tests/checker/check_mistakes.sh devices/devices_race_default_streams
s/device_of(&streams\[i\]) == device_of(me)/1/
