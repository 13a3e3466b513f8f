# file: cpudevice/compiler/emit/arithmetic.c
# test: conformance/loops/values/printf_returns
s/if (b->f->host || t->t\[i\].as || !is(t, i, "printf")/if (b || b->f->host || t->t[i].as || !is(t, i, "printf")/
