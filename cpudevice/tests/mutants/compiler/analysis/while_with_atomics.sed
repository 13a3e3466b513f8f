# file: cpudevice/compiler/analysis/harmful.c
# test: conformance/loops/lanes/waits_by_atomics
s/ \&\& !has_atomic(c, n)//
