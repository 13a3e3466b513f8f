# file: lecture14_tiling/hopper/fp8_blocks.cuh
# test: lecture14_tiling/hopper_fp8 5
/A's registers are free/,/fetch_a/s/fetch_a(smem + slot \* S::STAGE_BYTES)/fetch_a(stage)/
