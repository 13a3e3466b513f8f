# file: cpudevice/compiler/emit/print_copies.c
# test: cpudevice/tests/checker/check_mistakes.sh structs/struct_operator_race
s/if (!c->operators || n->oper/if (c->operators || n->oper/
