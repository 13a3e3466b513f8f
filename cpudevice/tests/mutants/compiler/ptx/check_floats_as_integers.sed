# file: cpudevice/compiler/ptx/ptx_check.c
# test: cpudevice/tests/ptx/ptx_unsupported.sh forms
s/if (has.kind == K_FLOAT \&\& (wants.kind == K_INTEGER || wants.kind == K_HALVES))/if (0)/
