# file: cpudevice/compiler/emit/arithmetic_loose.c
# test: conformance/loops/arithmetic/cast_of_variable_template
s/in(t, behind_arguments, next(t, angle)) || is_in(&b->names->values, &t->t\[last\])/is(t, next(t, angle), W_PAREN)/
