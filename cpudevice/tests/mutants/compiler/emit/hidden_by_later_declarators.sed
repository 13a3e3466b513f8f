# file: cpudevice/compiler/emit/hiding.c
# test: conformance/check/shared/hidden_in_closures
s/return is(t, q, W_COMMA) \&\& after_comma(t, q);/return false;/
