# file: cpudevice/compiler/emit/instructions_costs.c
# test: cpudevice/tests/model/model.sh 'a function of the math library'
s/    if (kind < 0)$/    if (kind > -2)/
