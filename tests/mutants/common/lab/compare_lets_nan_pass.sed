# file: common/lab/compare.c
# test: tests/course/common_test
s/bad = !(diff <= atol + rtol \* fabs(e));/bad = diff > atol + rtol * fabs(e);/
