# file: cpudevice/src/lexer.c
# test: cpudevice_core
s, || remembers(i)),),
