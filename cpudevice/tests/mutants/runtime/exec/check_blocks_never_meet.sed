# file: cpudevice/runtime/exec/turn.c
# test: cpudevice/tests/checker/findings.sh half
s/t->count >= TOGETHER/1/
