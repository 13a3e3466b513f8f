# file: cpudevice/compiler/emit/print_copies.c
# test: cpudevice/tests/checker/check_mistakes.sh structs/struct_closure_beyond
s/^    print_closures(c, f);$//
