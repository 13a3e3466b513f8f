# file: cpudevice/compiler/emit/print_copies.c
# test: cpudevice/tests/checker/check_mistakes.sh structs/struct_in_unread_text_race
s/^        print_value(t, i, last);$//
