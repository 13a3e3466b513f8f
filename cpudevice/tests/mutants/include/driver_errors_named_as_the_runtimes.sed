# file: cpudevice/include/cuda.h
# test: cpudevice/tests/runtime/driver_api.sh errors
s/\*text = #name;/*text = cudaGetErrorName((cudaError_t)error);/
