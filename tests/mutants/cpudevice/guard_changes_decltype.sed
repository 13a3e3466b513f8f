# file: cpudevice/compiler/print_guards.c
# test: conformance_test
s/type_is_asked(t, d\[k\].name, j, mate(t, open))/false/
