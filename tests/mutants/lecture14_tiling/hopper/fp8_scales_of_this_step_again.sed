# file: lecture14_tiling/hopper/fp8_blocks.cuh
# test: lecture14_tiling/hopper_fp8 5
s/load_scales(min(k + 1, steps - 1))/load_scales(k)/
