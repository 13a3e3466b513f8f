# file: lecture05_shared_memory/norms/kept_weights.cuh
# test: lecture05_shared_memory/norms 8
s/go_on(following, row2)/go_on(following, row1)/
