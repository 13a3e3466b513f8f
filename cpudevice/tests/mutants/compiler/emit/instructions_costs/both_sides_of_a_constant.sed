# file: cpudevice/compiler/emit/instructions_costs.c
# test: cpudevice/tests/model/model.sh 'a condition that a template decides'
s/if (text) {/if (false) {/
