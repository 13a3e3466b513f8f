# file: lecture14_tiling/block/02_mma_sync.cuh
# test: lecture14_tiling/block 2
s/wm \/ 8 + i \* 2 + lane \/ 8 % 2/wm \/ 8 + i * 2/
