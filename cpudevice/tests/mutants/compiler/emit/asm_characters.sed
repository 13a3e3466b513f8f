# file: cpudevice/compiler/emit/print_asm.c
# test: cpudevice/tests/compiler/lexer.sh character
s/return t->t\[i\].kind == T_STR && memchr.*;/return t->t[i].kind == T_STR;/
