# file: cpudevice/compiler/emit/print_shared.c
# test: conformance/check/shared/named_in_lambdas
s/if (declared_between(t, name, head, mate(t, b)))/if (declared_between(t, name, b, b))/
