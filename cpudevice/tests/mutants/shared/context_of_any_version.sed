# file: cpudevice/shared/libcuda.c
# test: cpudevice/tests/toolkit/shared.sh loads
s/version >= 12050/version >= 0/
