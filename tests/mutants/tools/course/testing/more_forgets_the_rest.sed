# file: tools/course/testing/tests.c
# test: tests/course/remembered
s/if (more || starts_with/if (starts_with/
