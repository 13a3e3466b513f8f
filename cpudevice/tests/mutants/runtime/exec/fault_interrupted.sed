# file: cpudevice/runtime/exec/fault.c
# test: cpudevice/tests/runtime/messages.sh 'a kernel faults and nobody reads that'
/^static void on_fault(/,/^}/s/^        cpudev_hold();.*//
