# file: cpudevice/compiler/front/names.c
# test: conformance/loops/classes/methods_named_as_library
s/return names_method(u, f, t, i);/return false;/
