# file: cpudevice/compiler/emit/arithmetic_loose.c
# test: cpudevice/tests/runtime/messages.sh 'the watchdog ends a kernel that calls a host device function that prints'
s/if (heap \&\& b->u->check)/if (runtime \&\& (b->u->check || b->f->host))/
