# file: cpudevice/compiler/emit/instructions_costs.c
# test: cpudevice/tests/model/model.sh 'a remainder by a power of two'
s/return v > 0 && !(v & (v - 1));/return false;/
