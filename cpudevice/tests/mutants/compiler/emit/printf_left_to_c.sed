# file: cpudevice/compiler/emit/arithmetic_loose.c
# test: cpudevice/tests/runtime/messages.sh 'the watchdog ends a kernel that prints'
s/"free",    "printf",   NULL/"free", NULL/
