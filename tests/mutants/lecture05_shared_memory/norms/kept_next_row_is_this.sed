# file: lecture05_shared_memory/norms/kept_weights.cuh
# test: lecture05_shared_memory/norms
s/ask<WHOLE>(r + step)/ask<WHOLE>(r)/
