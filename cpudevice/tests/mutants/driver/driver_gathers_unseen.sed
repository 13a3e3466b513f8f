# file: cpudevice/driver/gathers.c
# test: cpudevice/tests/compiler/driver programs
s/at += strlen(lane);/at += strlen(at);/
