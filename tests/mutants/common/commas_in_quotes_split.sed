# file: common/csv.h
# test: tests/course/common_test csv_cells_lose_their_quotes
s/p = strchr(end ? end : p, ',');/p = strchr(cell[n], ',');/
