# file: lecture14_tiling/w4a16/08_wgmma.cuh
# test: lecture14_tiling/w4a16 8
s/strip % 2 \* 2;/0;/
