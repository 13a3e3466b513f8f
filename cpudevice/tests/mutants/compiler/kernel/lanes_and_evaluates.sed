# file: cpudevice/compiler/kernel/lanes.c
# test: conformance/loops/lanes/shuffle_behind_and
s/^    if (n->kind == E_BINARY || n->kind == E_UNARY) {/    if (n->oper == OP_BIT_AND)\n        return true;\n&/
