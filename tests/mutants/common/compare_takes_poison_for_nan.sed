# file: common/lab/compare.c
# test: common_test
s/bad = poison;/bad = poison \&\& !isnan(expect[i]);/
