# file: cpudevice/compiler/analysis/reject_constexpr.c
# test: cpudevice/tests/compiler/compiler_test rejects constexpr_allowed
s/return is(t, n, W_PAREN);/return false;/
