# file: cpudevice/compiler/kernel/guards.c
# test: cpudevice/tests/random/random_loops
s/n->kind == E_ASSIGN || n->kind == E_POSTFIX || //
