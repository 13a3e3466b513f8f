# file: cpudevice/compiler/emit/instructions_costs.c
# test: cpudevice/tests/model/model.sh 'conversions of integers to floats, and logic'
s/case OP_SHIFT_RIGHT: return by_constant ? of_shift_right_by_constant/case OP_SHIFT_RIGHT: return by_constant ? of_shift_by_constant/
