# file: cpudevice/compiler/front/declarator.c
# test: cpudevice/tests/compiler/compiler_test
s/^        if (opens(t, i))$/        if (is(t, i, W_PAREN))/
