# file: cpudevice/runtime/exec/os_thread.c
# test: cpudevice/tests/arithmetic/ftz.sh 'a kernel with -ftz=true flushes, one without keeps subnormal numbers, and so does the host'
s/set_flush(false)/float_control()/
