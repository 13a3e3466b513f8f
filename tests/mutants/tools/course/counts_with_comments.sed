# file: tools/course/code.c
# test: tests/course/counts
s|if (p\[0\] == '/' && p\[1\] == '/') {|if (p[0] == 1) {|
