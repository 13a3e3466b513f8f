# file: lecture14_tiling/block/03_wgmma.cuh
# test: lecture14_tiling/block
s/with + n + box \* 64, N/with + n, N/
