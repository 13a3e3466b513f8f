# file: cpudevice/compiler/analysis/reject_variables.c
# test: compiler_test
s/        found = known;/        (void)known;/
