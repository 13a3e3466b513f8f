# file: cpudevice/src/lexer.c
# test: cpudevice_split.sh
s/^        if (found)$/        if (false)/
