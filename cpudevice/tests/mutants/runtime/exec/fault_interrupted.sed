# file: cpudevice/runtime/exec/fault.c
# test: cpudevice/tests/checker/findings.sh 'a kernel faults whose line is long in coming'
/^static void on_fault(/,/^}/s/^        cpudev_hold();.*//
