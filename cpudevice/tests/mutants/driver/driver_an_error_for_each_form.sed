# file: cpudevice/driver/readable.c
# test: cpudevice/tests/compiler/driver
s/        r.near_match = near_match;/        (void)near_match;/
