# file: cpudevice/compiler/emit/arithmetic_loose.c
# test: conformance/loops/classes/methods_named_as_device_functions
/!is_statement_word(t, before)) ||/{
n
s/hidden_by_program(b->u, b->f, t, i)/false/
}
