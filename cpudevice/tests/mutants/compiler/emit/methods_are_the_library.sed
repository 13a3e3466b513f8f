# file: cpudevice/compiler/emit/arithmetic_loose.c
# test: conformance/loops/classes/methods_named_as_library
s/ || names_method(b, i)//
