# file: cpudevice/compiler/lockstep.c
# test: cpudevice_lockstep
s/ && !u->check)/ \&\& u->check)/
