# file: common/compare.c
# test: common_test
s/bad = poison;/bad = 0;/
