# file: cpudevice/driver/readable.c
# test: driver
s/        detail = announces;/        (void)announces;/
