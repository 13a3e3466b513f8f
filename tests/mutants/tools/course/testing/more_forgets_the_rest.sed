# file: tools/course/testing/tests.c
# test: tests/course/remembered of_more
s/if (more || starts_with/if (starts_with/
