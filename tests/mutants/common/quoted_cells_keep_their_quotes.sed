# file: common/csv.h
# test: tests/course/common_test
s/cell\[n\] = end ? p + 1 : p;/cell[n] = p;/
