# file: cpudevice/compiler/emit/print.c
# test: cpudevice/tests/compiler/split.sh 'a warning of a function that nothing calls'
s/if (brace->lead == brace->s)/if (0)/
