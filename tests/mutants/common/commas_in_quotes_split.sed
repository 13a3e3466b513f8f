# file: common/csv.h
# test: tests/course/common_test
s/p = strchr(end ? end : p, ',');/p = strchr(cell[n], ',');/
