# file: cpudevice/compiler/emit/print_copies.c
# test: cpudevice/tests/checker/check_mistakes.sh right/struct_by_value
s/return !d.is_ref \&\& !d.stars/return !d.stars/
