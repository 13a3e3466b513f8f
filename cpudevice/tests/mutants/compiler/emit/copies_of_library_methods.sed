# file: cpudevice/compiler/emit/print_copies.c
# test: cpudevice/tests/checker/check_mistakes.sh right/struct_closures
s/return !d || d->is_auto || /return d \&\& /
