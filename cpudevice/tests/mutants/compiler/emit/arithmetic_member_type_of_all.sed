# file: cpudevice/compiler/emit/arithmetic_tree.c
# test: conformance/loops/functions/template_named_as_members_type
s/ \&\& function_named(b->u, b->t, i, -1) < 0) || b->f->member/) || b->f->member/
