# file: cpudevice/src/lexer.c
# test: cpudevice_core
s/(!pure_call(i) || find_name(i) ||/(!pure_call(i) ||/
