# file: cpudevice/compiler/analysis/reject_variables.c
# test: cpudevice/tests/compiler/compiler_test
s/        found = known;/        (void)known;/
