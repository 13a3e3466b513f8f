# file: cpudevice/compiler/kernel/guards.c
# test: cpudevice/tests/random/random_loops
s/n->kind == E_ASSIGN || n->kind == E_OPAQUE || is_increment(n)/n->kind == E_OPAQUE || (is_increment(n) \&\& n->kind != E_POSTFIX)/
