# file: tools/course/limits.c
# test: tests/course/limits all
s/l->requests + l->conflicts/l->requests/
