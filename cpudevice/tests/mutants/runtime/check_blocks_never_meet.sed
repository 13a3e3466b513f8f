# file: cpudevice/runtime/exec/turn.c
# test: cpudevice/tests/checker/check_report.sh
s/t->count >= TOGETHER/1/
