# file: tools/course/testing/tests.c
# test: tests/course/remembered of_runs
s/ && t->count.skipped == t->count.for_gpu / /
