# file: cpudevice/compiler/emit/print_asm.c
# test: cpudevice/tests/ptx/ptx_unsupported.sh program
s/return t->t\[i\].file != t->t\[last\].file;/return false;/
