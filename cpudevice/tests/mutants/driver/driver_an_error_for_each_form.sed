# file: cpudevice/driver/readable.c
# test: cpudevice/tests/compiler/driver
s/        detail = announces;/        (void)announces;/
