# file: common/lab/product.c
# test: tests/course/common_test
s/if (b_by_columns)/if (b_by_columns \&\& !b_by_columns)/
