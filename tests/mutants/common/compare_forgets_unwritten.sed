# file: common/lab/compare.c
# test: common_test
s/bad = poison;/bad = 0;/
