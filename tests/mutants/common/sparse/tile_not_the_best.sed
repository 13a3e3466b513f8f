# file: common/sparse/sparse24.c
# test: tests/course/sparsity_formats
s/G\[c\] = m\[2\]\[c\] - m\[3\]\[c\];/G[c] = m[3][c] - m[2][c];/
