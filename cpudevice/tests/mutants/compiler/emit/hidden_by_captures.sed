# file: cpudevice/compiler/emit/hiding.c
# test: conformance/check/shared/hidden_in_closures
s/return is(t, next(t, i), W_ASSIGN) || is(t, next(t, i), W_PAREN)/return is(t, next(t, i), W_PAREN)/
