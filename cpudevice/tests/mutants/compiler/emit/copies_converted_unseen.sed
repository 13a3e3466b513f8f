# file: cpudevice/compiler/emit/print_copies.c
# test: cpudevice/tests/checker/check_mistakes.sh structs/struct_converted_beyond
s/} else if (c->conversions \&\& /} else if (!c->conversions \&\& /
