# file: cpudevice/runtime/turn.c
# test: check_report.sh
s/t->count >= TOGETHER/1/
