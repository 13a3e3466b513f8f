# file: common/lab/lab_case.c
# test: tests/course/common_test
s/if (buffer && !(accepted >> type & 1))/if (buffer \&\& !accepted)/
