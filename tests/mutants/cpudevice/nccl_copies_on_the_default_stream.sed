# file: cpudevice/libraries/nccl/nccl_operations.c
# test: libraries.sh
s/bytes, cudaMemcpyDefault, c->stream)/bytes, cudaMemcpyDefault, 0)/
