# file: cpudevice/compiler/emit/print_guards.c
# test: conformance/check/types/decltype_of_array
s/type_is_asked(t, d\[k\].name, j, mate(t, open))/false/
