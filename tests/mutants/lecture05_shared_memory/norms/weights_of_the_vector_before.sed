# file: lecture05_shared_memory/norms.cu
# test: lecture05_shared_memory/norms 5
s/ask_weights(e + AHEAD)/ask_weights(e)/
