# file: lecture14_tiling/block/03_wgmma.cuh
# test: lecture14_tiling/block 3
s/k_part = 0, part++;/k_part = 0;/
