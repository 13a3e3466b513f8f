# file: common/lab/product.c
# test: tests/course/common_test
s/if (b_by_columns)/if (0)/
