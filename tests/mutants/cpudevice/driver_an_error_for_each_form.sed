# file: cpudevice/driver/readable.c
# test: driver
s/        r.near_match = near_match;/        (void)near_match;/
