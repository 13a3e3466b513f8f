# file: cpudevice/compiler/emit/print_copies.c
# test: cpudevice/tests/checker/check_mistakes.sh structs/struct_taken_beyond
s/            wrap(t, call->kid\[i\], "::cpudev::copy_of");/            wrap(t, call->kid[i], "");/
