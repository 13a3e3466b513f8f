# file: cpudevice/compiler/emit/arithmetic_instructions.c
# test: cpudevice/tests/model/model.sh 'a loop of constant length is unrolled'
s/if (d && folded(c, d->init) .*/if (false) {/
