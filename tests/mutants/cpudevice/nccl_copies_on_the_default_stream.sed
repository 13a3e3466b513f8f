# file: cpudevice/libraries/nccl_operations.c
# test: libraries.sh nccl_streams
s/bytes, cudaMemcpyDefault, c->stream)/bytes, cudaMemcpyDefault, 0)/
