# file: cpudevice/runtime/exec/fault.c
# test: cpudevice/tests/runtime/messages.sh 'a kernel traps and nobody reads that'
/^void cpudev_trap(/,/^}/s/^    cpudev_hold();.*//
