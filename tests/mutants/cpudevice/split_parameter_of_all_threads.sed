# file: cpudevice/src/lexer.c
# test: cpudevice_split.sh
s/            split_parameter(i);/            ;/
