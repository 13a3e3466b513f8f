# file: tools/course/limits.c
# test: tests/course/limits
s/return text("the limit '%s' is of an unknown kind", name);/return NULL;/
