# file: cpudevice/compiler/emit/arithmetic.c
# test: conformance/loops/arithmetic/constants_beside_operators
s/ && !is_constant(b, before);/;/
