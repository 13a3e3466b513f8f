# file: tools/course/counts.c
# test: tests/course/counts
s|if (p\[0\] == '/' && p\[1\] == '/') {|if (p[0] == 1) {|
