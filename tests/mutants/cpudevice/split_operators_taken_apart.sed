# file: cpudevice/src/lexer.c
# test: cpudevice_split.sh
s/i > a \&\& (!adjacent(i - 1) || tok\[i - 1\].kind == MARK) ?/i > a ?/
