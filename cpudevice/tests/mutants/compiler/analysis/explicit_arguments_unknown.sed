# file: cpudevice/compiler/analysis/effects.c
# test: cpudevice/tests/compiler/split.sh explicit
s/callee->first != name || !no_references/callee->first != callee->last || !no_references/
