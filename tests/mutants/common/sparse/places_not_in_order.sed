# file: common/sparse/sparse24.c
# test: tests/course/sparsity_formats
s/return first < second ? first | second << 2 : second | first << 2;/return first | second << 2;/
