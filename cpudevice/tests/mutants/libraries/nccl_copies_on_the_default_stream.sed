# file: cpudevice/libraries/nccl/nccl_operations.c
# test: cpudevice/tests/libraries/libraries.sh
s/bytes, cudaMemcpyDefault, c->stream)/bytes, cudaMemcpyDefault, 0)/
