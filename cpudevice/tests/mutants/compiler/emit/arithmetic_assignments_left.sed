# file: cpudevice/compiler/emit/arithmetic_tree.c
# test: conformance/loops/arithmetic/implicit_conversions
/^static void assignment/,/^}/s/if (is(t, n->op, W_ASSIGN))/if (is(t, n->op, W_ASSIGN) \&\& b->u->check)/
