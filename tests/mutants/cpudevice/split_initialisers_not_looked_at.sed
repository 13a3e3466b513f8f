# file: cpudevice/src/lexer.c
# test: cpudevice_split.sh
s/pure_initialisers(match(open), body) \&\& //
