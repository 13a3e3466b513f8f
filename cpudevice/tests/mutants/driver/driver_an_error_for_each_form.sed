# file: cpudevice/driver/readable.c
# test: cpudevice/tests/compiler/driver words
s/        detail = announces;/        (void)announces;/
