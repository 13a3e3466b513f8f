# file: cpudevice/compiler/analysis/operators.c
# test: cpudevice/tests/compiler/compiler_test golden dumps
s/!(numbers && takes_no_enumeration(.*/!numbers)/
