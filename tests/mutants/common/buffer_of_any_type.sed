# file: common/lab_case.c
# test: common_test
s/if (buffer && !(accepted >> type & 1))/if (0)/
