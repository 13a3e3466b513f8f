# file: lecture05_shared_memory/norms/kept_weights.cuh
# test: lecture05_shared_memory/norms
s/count<WHOLE>(w) \* off \* off/0/
