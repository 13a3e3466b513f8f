# file: tools/course/testing/tests.c
# test: tests/course/remembered of_runs
s/    return v && v->passed ? v : NULL;/    return v;/
