# file: cpudevice/compiler/emit/arithmetic.c
# test: conformance/loops/arithmetic/shift_assign
s/    if (change && may_be_bit_field(b, before))/    if (change)/
