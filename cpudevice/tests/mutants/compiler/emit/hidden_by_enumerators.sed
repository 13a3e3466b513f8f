# file: cpudevice/compiler/emit/hiding.c
# test: conformance/check/shared/hidden_in_closures
s/binding(t, i) || enumerator(t, i) ||/binding(t, i) ||/
