# file: cpudevice/compiler/analysis/reject_constexpr.c
# test: compiler_test
s/return is(t, n, "(");/return false;/
