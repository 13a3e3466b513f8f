# file: common/measure/stats.c
# test: tests/course/common_test
s/double at = p \* (n - 1);/double at = (n - 1) * 0.7 * p;/
