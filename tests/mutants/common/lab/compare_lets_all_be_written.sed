# file: common/lab/compare.c
# test: tests/course/common_test
s/bad = !poison;/bad = 0;/
