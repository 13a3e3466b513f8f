# file: cpudevice/compiler/emit/print_shared.c
# test: conformance/check/shared/named_in_lambdas
s/if (is_hidden(t, i, head, b))/if (is_hidden(t, i, b, b))/
