# file: lecture05_shared_memory/norms/kept_weights.cuh
# test: lecture05_shared_memory/norms
s/send(sums, turn ^ 1)/send(sums, turn)/
