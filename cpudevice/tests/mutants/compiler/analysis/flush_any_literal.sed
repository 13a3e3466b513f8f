# file: cpudevice/compiler/analysis/flush.c
# test: cpudevice/tests/arithmetic/ftz.sh 'a literal that a template may take for a double'
/^static bool may_deduce/,/^}/s/^    return ident.*/    return false;/
