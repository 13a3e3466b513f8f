# file: cpudevice/runtime/exec/turn.c
# test: check_report.sh
s/t->count >= TOGETHER/1/
