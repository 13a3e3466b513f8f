# file: cpudevice/src/lexer.c
# test: cpudevice_split.sh
s/may_wait = contains(params, close, "volatile")/may_wait = false/
