# file: lecture11_sparsity/load_sparse/bitmap.h
# test: lecture11_sparsity/load_sparse 2
s/^    \*row = lane \/ 4 + e \/ 2 % 2 \* 8;/    *row = lane \/ 4 + e \/ 4 * 8;/
s/^    \*column = lane % 4 \* 2 + e % 2 + e \/ 4 \* 8;/    *column = lane % 4 * 2 + e % 2 + e \/ 2 % 2 * 8;/
