# file: tools/course/testing/reach.c
# test: tests/course/remembered
s/            understood &= reach_includes(files, beside);/            (void)0;/
