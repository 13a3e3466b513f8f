# file: lecture14_tiling/hopper/12_even.cuh
# test: lecture14_tiling/hopper 12
s/acc\[mi\]\[i\] + other/acc[mi][i] + 0 * other/
