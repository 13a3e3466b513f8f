# file: cpudevice/compiler/analysis/reject_names.c
# test: cpudevice/tests/compiler/compiler_test rejects legal_constants
s/!(is(t, p, W_AND) \&\& is(t, prev(t, p), W_ASSIGN))/!is(t, p, W_AND)/
