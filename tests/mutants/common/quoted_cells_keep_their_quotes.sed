# file: common/csv.h
# test: tests/course/common_test csv_cells_lose_their_quotes
s/cell\[n\] = end ? p + 1 : p;/cell[n] = p;/
