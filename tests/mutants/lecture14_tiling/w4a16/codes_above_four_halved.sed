# file: lecture14_tiling/w4a16/07_fewer_instructions.cuh
# test: lecture14_tiling/w4a16 7
s/as_bf16_pair(0x7d007d00u)/as_bf16_pair(0x7c807c80u)/
