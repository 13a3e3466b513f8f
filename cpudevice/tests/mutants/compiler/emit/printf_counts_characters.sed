# file: cpudevice/compiler/emit/arithmetic_loose.c
# test: conformance/loops/values/printf_returns
s/if (b->f->host || t->t\[i\].as ||/if (b || b->f->host || t->t[i].as ||/
