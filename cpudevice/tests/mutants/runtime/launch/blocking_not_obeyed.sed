# file: cpudevice/runtime/launch/launch.c
# test: cpudevice/tests/runtime/blocking
s/wish && atoi(wish) ? 2 : 1/1/
