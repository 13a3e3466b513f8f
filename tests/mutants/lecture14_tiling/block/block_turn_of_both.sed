# file: lecture14_tiling/block/06_ping_pong.cuh
# test: lecture14_tiling/block 6
s/m = (row \* 2 + rank) \* S::BM, n = col/m = row * 2 * S::BM, n = col/
