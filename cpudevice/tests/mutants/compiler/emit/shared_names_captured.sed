# file: cpudevice/compiler/emit/print_shared.c
# test: conformance/check/shared/named_in_lambdas
s/if (is(t, b, W_BRACE) \&\& (lambda_brace(t, b, \&head) || class_brace(t, b, \&head))) {/if (is(t, b, W_BRACE) \&\& class_brace(t, b, \&head)) {/
