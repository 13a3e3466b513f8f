# file: lecture14_tiling/hopper/fp8_blocks.cuh
# test: lecture14_tiling/hopper_fp8 5
s/ ^ (r \& 7)) << 4))/) << 4))/
