# file: tools/course/testing/tests.c
# test: tests/course/remembered
s/    return v && v->passed ? v : NULL;/    return v;/
