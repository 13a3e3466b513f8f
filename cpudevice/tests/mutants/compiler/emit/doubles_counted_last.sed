# file: cpudevice/compiler/emit/arithmetic.c
# test: conformance/check/arithmetic/implicit_conversions
/^    if (b->u->check)$/d
/^        count_doubles(b, b->f->tree);$/d
s/^    convert_tree(b, b->f->tree);$/&\n    if (b->u->check)\n        count_doubles(b, b->f->tree);/
