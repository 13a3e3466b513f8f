# file: cpudevice/compiler/analysis/reject_variables.c
# test: cpudevice/tests/compiler/compiler_test rejects legal_variables
s/        found = known;/        (void)known;/
