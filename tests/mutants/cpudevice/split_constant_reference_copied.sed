# file: cpudevice/src/lexer.c
# test: cpudevice_split.sh
s/ \&\& !contains(p, name, "const");/;/; s/        if (reference) { /        if (reference \&\& !contains(p, name, "const")) { /
