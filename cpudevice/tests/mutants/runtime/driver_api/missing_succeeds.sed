# file: cpudevice/runtime/driver_api/driver_missing.c
# test: cpudevice/tests/runtime/missing names
s/RESULT(missing_call(\(.*\)));/missing_call(\1); RESULT(CUDA_SUCCESS);/
