# file: cpudevice/src/lexer.c
# test: cpudevice_lexer.sh
s/if (kind == 'h')$/if (kind == 'H')/
