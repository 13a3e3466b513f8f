# file: cpudevice/compiler/emit/arithmetic_loose.c
# test: conformance/loops/values/printf_as_argument
s/if (heap \&\& b->u->check)/if (heap \&\& (b->u->check || b->f->host))/
