# file: lecture05_shared_memory/norms/sent_sums.cuh
# test: lecture05_shared_memory/norms 10
s/sums\.y + count \* d \* d/sums.y/
