# file: cpudevice/compiler/emit/print_copies.c
# test: cpudevice/tests/checker/check_mistakes.sh right/struct_closures
s/return is(t, p, W_SQUARE_END) || is(t, p, W_PAREN_END) ||/return !is(t, q, W_COMMA) ||/
