# file: lecture14_tiling/w4a16/09_dependent_launch.cuh
# test: lecture14_tiling/w4a16 9
s/^                x(u, at);/                x(u - 1, at);/
