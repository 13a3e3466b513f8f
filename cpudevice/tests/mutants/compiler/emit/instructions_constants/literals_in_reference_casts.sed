# file: cpudevice/compiler/emit/instructions_constants.c
# test: cpudevice/tests/model/model.sh 'casts of known variables to references compile'
s/n->kind == E_CALL || (n->kind == E_CAST \&\& casts_a_variable(c, n))/n->kind == E_CALL/
