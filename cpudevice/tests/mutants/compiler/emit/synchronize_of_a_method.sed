# file: cpudevice/compiler/emit/print.c
# test: conformance/loops/classes/methods_named_as_device_functions
s/ && !hidden_by_program(u, in->function, t, i)//
