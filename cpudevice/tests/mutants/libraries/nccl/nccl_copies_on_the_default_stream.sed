# file: cpudevice/libraries/nccl/nccl_operations.c
# test: cpudevice/tests/libraries/libraries.sh nccl_streams
s/bytes, cudaMemcpyDefault, c->stream)/bytes, cudaMemcpyDefault, 0)/
