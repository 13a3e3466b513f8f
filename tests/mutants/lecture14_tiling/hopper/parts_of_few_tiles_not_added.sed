# file: lecture14_tiling/hopper/10_whole.cuh
# test: lecture14_tiling/hopper 12
s/if (SHARE \&\& k1 < steps)/if (SHARE == 1 \&\& k1 < steps)/
