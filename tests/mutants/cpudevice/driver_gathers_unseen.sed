# file: cpudevice/driver/gathers.c
# test: driver
s/at += strlen(lane);/at += strlen(at);/
