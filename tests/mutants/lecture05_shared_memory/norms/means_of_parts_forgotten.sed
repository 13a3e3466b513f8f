# file: lecture05_shared_memory/norms.cu
# test: lecture05_shared_memory/norms 5
s/theirs \* off \* off/0/
