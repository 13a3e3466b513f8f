# file: cpudevice/compiler/emit/print_copies.c
# test: cpudevice/tests/checker/check_mistakes.sh structs/struct_returned_beyond
s/        wrap(t, n->kid\[1\], "::cpudev::value_of");/        wrap(t, n->kid[1], "");/
