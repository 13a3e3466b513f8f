# file: cpudevice/driver/gathers.c
# test: cpudevice/tests/compiler/driver
s/at += strlen(lane);/at += strlen(at);/
