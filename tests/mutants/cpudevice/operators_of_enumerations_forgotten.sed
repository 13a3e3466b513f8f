# file: cpudevice/compiler/analysis/operators.c
# test: compiler_test
s/!(numbers && takes_no_enumeration(.*/!numbers)/
