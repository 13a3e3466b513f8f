# file: cpudevice/compiler/kernel/lockstep.c
# test: cpudevice_lockstep
s/ && !u->check)/ \&\& u->check)/
