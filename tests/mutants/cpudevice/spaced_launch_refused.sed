# file: cpudevice/src/lexer.c
# test: cpudevice_lexer.sh
s/j = launch_end(i, true);/j = -1;/
