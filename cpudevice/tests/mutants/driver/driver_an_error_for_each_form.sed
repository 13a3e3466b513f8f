# file: cpudevice/driver/readable.c
# test: cpudevice/tests/compiler/driver mistakes
s/        detail = announces;/        (void)announces;/
