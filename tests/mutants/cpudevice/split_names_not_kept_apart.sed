# file: cpudevice/src/lexer.c
# test: cpudevice_split.sh
s/rename_to(r, k, format("%.\*s__cpudev_%d", tok\[k\].len, tok\[k\].s, number))/rename_to(r, k, format("%.*s", tok[k].len, tok[k].s))/
