# file: tools/course/testing/tests.c
# test: tests/course/remembered
s/ && t->count.skipped == t->count.for_gpu / /
