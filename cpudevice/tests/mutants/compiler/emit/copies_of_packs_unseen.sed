# file: cpudevice/compiler/emit/print_copies.c
# test: cpudevice/tests/checker/check_mistakes.sh structs/struct_pack_beyond
s/ || (d.pack \&\& n < index)//
