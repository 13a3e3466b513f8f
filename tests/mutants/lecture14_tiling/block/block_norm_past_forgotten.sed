# file: lecture14_tiling/block/04_rows.cuh
# test: lecture14_tiling/block 4
s/v\[j\] = more\[j\] + scale/v[j] = scale/
