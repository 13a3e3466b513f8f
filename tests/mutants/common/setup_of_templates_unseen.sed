# file: common/csv.h
# test: tests/course/common_test setup_kernels_are_known_by_their_name
s/kernel += strncmp(kernel, type, strlen(type)) == 0/kernel += strncmp(kernel, type, strlen(type)) == 7/
