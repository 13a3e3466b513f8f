# file: lecture14_tiling/w4a16/09_dependent_launch.cuh
# test: lecture14_tiling/w4a16 9
s/^                weights(u, ring + u/                weights(u - 1, ring + u/
