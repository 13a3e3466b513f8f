# file: lecture14_tiling/hopper/10_whole.cuh
# test: tests/course/hopper_tiles
s/(number + odd) % 2/number % 2/
