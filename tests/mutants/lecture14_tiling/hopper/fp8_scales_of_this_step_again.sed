# file: lecture14_tiling/hopper/fp8_blocks.cuh
# test: lecture14_tiling/hopper_fp8 5
s/const int k1 = min(k + 1, steps - 1)/const int k1 = k/
