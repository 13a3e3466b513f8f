# file: cpudevice/runtime/exec/watchdog.c
# test: cpudevice/tests/random/random_accesses
s/size = stack_size(256 << 10)/size = 256 << 10/
