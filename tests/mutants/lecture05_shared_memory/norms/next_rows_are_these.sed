# file: lecture05_shared_memory/norms.cu
# test: lecture05_shared_memory/norms
s/ask(r, e, row + step)/ask(r, e, row)/
