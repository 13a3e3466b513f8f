# file: cpudevice/compiler/emit/bodies.c
# test: cpudevice/tests/checker/check_mistakes.sh structs/host_struct_taken_early
s/} else if (method_brace(t, brace)) {/} else if (brace < 0) {/
