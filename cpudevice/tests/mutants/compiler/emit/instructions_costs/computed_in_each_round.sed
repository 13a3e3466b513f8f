# file: cpudevice/compiler/emit/instructions_costs.c
# test: cpudevice/tests/model/model.sh 'what does not change is computed in front of the loop'
s/i >= 0 && unchanged(c, n, /i > 99 \&\& unchanged(c, n, /
