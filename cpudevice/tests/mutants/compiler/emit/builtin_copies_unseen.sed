# file: cpudevice/compiler/emit/print_words.c
# test: cpudevice/tests/checker/check_mistakes.sh structs/builtin_copy_beyond
s/^            print_builtin(u, i);$//
