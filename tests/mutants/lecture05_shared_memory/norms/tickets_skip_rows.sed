# file: lecture05_shared_memory/norms/kept_weights.cuh
# test: lecture05_shared_memory/norms 9
s/ticket = 4 \* clusters/ticket = 5 * clusters/
