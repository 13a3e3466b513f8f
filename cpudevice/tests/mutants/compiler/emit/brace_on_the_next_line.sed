# file: cpudevice/compiler/emit/print.c
# test: cpudevice/tests/compiler/split.sh unused
s/if (brace->lead == brace->s)/if (0)/
