# file: cpudevice/include/cuda.h
# test: cpudevice/tests/runtime/driver_api.sh 'error codes have their numbers and names'
s/\*text = #name;/*text = cudaGetErrorName((cudaError_t)error);/
