# file: lecture14_tiling/hopper/10_whole.cuh
# test: lecture14_tiling/hopper
s/if (SHARE \&\& k1 < steps)/if (SHARE == 1 \&\& k1 < steps)/
