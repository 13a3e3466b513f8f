# file: tools/course/stages.c
# test: tests/course/limits all
s/^            s\.at\[0\]\.points -= .*$//
