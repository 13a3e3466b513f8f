# file: cpudevice/compiler/reject_variables.c
# test: compiler_test
s/        found = known;/        (void)known;/
