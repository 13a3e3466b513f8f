# file: cpudevice/runtime/exec/fault.c
# test: cpudevice/tests/checker/findings.sh 'a kernel traps whose line is long in coming'
/^void cpudev_trap(/,/^}/s/^    cpudev_hold();.*//
