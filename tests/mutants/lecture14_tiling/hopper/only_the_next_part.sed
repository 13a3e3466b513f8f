# file: lecture14_tiling/hopper/10_whole.cuh
# test: lecture14_tiling/hopper
s/for (int c = me + 1; c < after; c++)/for (int c = me + 1; c < me + 2; c++)/
