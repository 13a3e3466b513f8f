# file: cpudevice/runtime/turn.c
# test: checker.sh half
s/t->count >= TOGETHER/1/
