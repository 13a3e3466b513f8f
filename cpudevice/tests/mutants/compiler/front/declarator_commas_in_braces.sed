# file: cpudevice/compiler/front/declarator.c
# test: cpudevice/tests/compiler/compiler_test declarators
s/^        if (opens(t, i))$/        if (is(t, i, W_PAREN))/
