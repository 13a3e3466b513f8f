# file: cpudevice/compiler/analysis/apart.c
# test: cpudevice/tests/compiler/split.sh explicit
s/int name = callee_name(t, callee);/int name = callee->last;/
