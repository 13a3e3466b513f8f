# file: lecture14_tiling/hopper/12_even.cuh
# test: lecture14_tiling/hopper 12
s/c = tile \* rows + in,/c = tile * (MI * 64) + in,/
