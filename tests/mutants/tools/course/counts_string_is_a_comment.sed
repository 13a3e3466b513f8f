# file: tools/course/code.c
# test: tests/course/counts
s|} else if (\*p == '"' .. \*p == '\\'') {|} else if (*p == 1) {|
