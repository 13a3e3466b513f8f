# file: cpudevice/src/lexer.c
# test: cpudevice_split.sh
s/ok = !declared_in(k, start, kend);/ok = true;/
