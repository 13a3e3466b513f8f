# file: tools/course/limits.c
# test: tests/course/limits
s/return text("the limit '%s' is of a kind that nobody knows", name);/return NULL;/
