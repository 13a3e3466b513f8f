# file: cpudevice/include/cuda.h
# test: cpudevice/tests/runtime/driver_api.sh
s/\*text = #name;/*text = cudaGetErrorName((cudaError_t)error);/
