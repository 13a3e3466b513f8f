# file: cpudevice/compiler/kernel/guards.c
# test: random_loops
s/n->kind == E_ASSIGN || n->kind == E_POSTFIX || //
