# file: lecture14_tiling/hopper/12_even.cuh
# test: lecture14_tiling/hopper
s/acc\[mi\]\[i\] + other/acc[mi][i] + 0 * other/
