# file: cpudevice/compiler/emit/arithmetic.c
# test: conformance/loops/arithmetic/division_assign
s/format("= +%s %.\*s "/format("= %s %.*s "/
