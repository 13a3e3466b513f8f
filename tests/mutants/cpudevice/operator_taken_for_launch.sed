# file: cpudevice/src/lexer.c
# test: cpudevice_lexer.sh
s/ && !is(prev(i), "operator")) {/) {/
