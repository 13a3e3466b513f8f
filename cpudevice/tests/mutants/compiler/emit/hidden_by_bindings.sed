# file: cpudevice/compiler/emit/hiding.c
# test: conformance/check/shared/hidden_in_closures
s/type_word(t, p) || binding(t, i) ||/type_word(t, p) ||/
