# file: lecture14_tiling/hopper/10_whole.cuh
# test: lecture14_tiling/hopper 12
s/lane % 16) \* (EDGE \* 2)/lane % 16) * 128/
