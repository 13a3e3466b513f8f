# file: cpudevice/compiler/emit/arithmetic_tree.c
# test: conformance/fibers/arithmetic/implicit_conversions
# An integer multiplied by a literal is not converted as on a GPU.
s/ || (!is(t, n->op, W_ASSIGN) && number_of(t, strip(value)) == NUMBER_REAL);/;/
