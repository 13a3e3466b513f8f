# file: cpudevice/compiler/emit/hiding.c
# test: conformance/check/shared/hidden_in_closures
s/binding(t, i) || is_enumerator(t, i) ||/binding(t, i) ||/
