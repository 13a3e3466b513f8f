# file: lecture14_tiling/hopper/10_whole.cuh
# test: lecture14_tiling/hopper 10
s/step(steps - 1, (K - (steps - 1) \* BK + BK \/ 4 - 1)/step(steps - 1, (K - (steps - 1) * BK)/
