# file: common/csv.h
# test: tests/course/common_test
s/kernel += strncmp(kernel, type, strlen(type)) == 0/kernel += strncmp(kernel, type, strlen(type)) == 7/
