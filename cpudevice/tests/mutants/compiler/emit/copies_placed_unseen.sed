# file: cpudevice/compiler/emit/print_copies.c
# test: cpudevice/tests/checker/check_mistakes.sh structs/struct_placed_beyond
s/if (!is(t, next(t, f->close), W_COLON))/if (is(t, next(t, f->close), W_COLON))/
