# file: cpudevice/runtime/exec/atomic_sum.c
# test: cpudevice/tests/arithmetic/subnormal.sh
s/const bool keeps = .*/const bool keeps = false;/
