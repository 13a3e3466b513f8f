# file: cpudevice/compiler/analysis/effects.c
# test: cpudevice/tests/compiler/split.sh explicit
s/ || !no_references(w, callee, name)//; s/^static bool no_references/__attribute__((unused)) &/
