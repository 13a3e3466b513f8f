# file: cpudevice/compiler/emit/arithmetic_instructions.c
# test: cpudevice/tests/model/model.sh 'what a closure computes'
s/if (d->init->kind != E_OPAQUE)/if (true)/
