# file: cpudevice/compiler/emit/print.c
# test: cpudevice/tests/checker/check_mistakes.sh structs/host_struct_taken_early
s/^    print_copies_of_host(&c);$//
