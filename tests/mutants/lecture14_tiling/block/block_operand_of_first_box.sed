# file: lecture14_tiling/block/03_wgmma.cuh
# test: lecture14_tiling/block 5
s/with + n + box \* 64, N/with + n, N/
