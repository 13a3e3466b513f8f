# caught by: nothing
# 8 queries per warp, and blocks of 32 x 4 threads with 8 rows per thread
s/ROWS = 8/ROWS = 4/
s/QUERIES = 4/QUERIES = 8/
