# file: cpudevice/compiler/analysis/reject.c
# test: cpudevice/tests/compiler/compiler_test rejects library_from_kernel
s/const bool qualified = is(t, scope, W_SCOPE)/const bool qualified = false/
