# file: lecture05_shared_memory/norms.cu
# test: lecture05_shared_memory/norms 7
s/ask(r, e, row + step)/ask(r, e, row)/
