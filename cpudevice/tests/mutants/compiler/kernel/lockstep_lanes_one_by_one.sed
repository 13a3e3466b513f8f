# file: cpudevice/compiler/kernel/lockstep.c
# test: cpudevice/tests/runtime/lockstep
s/ && !u->check)/ \&\& u->check)/
