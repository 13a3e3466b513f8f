# file: tools/course/keys.c
# test: tests/course/remembered
s/            understood &= add_closure(files, beside);/            (void)0;/
