# file: cpudevice/compiler/analysis/apart.c
# test: cpudevice/tests/compiler/compiler_test golden dumps
/^static bool points_to_registers/,/^}/s/in_registers(a, d->type_first, d->type_last, 0)/a->depth >= 0/
