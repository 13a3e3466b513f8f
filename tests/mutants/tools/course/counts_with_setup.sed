# file: tools/course/counts.c
# test: tests/course/counts
s/return quote && csv_is_setup(quote + 1);/return quote \&\& 0;/
