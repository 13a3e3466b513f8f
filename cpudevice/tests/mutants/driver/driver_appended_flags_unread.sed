# file: cpudevice/driver/options.c
# test: cpudevice/tests/compiler/driver
s/getenv("NVCC_APPEND_FLAGS")/NULL/
