# file: lecture05_shared_memory/norms/sent_sums.cuh
# test: lecture05_shared_memory/norms 10
s/warp), ticket, n + 1)/warp), ticket, n)/
