# file: lecture05_shared_memory/norms/sent_sums.cuh
# test: lecture05_shared_memory/norms 10
s/ask(third, row2)/ask(here, row2)/
