# file: lecture14_tiling/hopper/fp8_blocks.cuh
# test: lecture14_tiling/hopper_fp8 5
/A's registers are free/,/issue(/s/issue(smem + slot \* S::STAGE_BYTES, 0)/issue(stage, 0)/
