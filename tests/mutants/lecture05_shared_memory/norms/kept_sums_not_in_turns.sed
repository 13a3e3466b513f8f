# file: lecture05_shared_memory/norms/kept_weights.cuh
# test: lecture05_shared_memory/norms 8
s/send(sums, turn ^ 1)/send(sums, turn)/
