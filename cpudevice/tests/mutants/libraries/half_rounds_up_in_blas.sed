# file: cpudevice/libraries/blas/blas_convert.h
# test: cpudevice/tests/libraries/libraries.sh
s/0xfff + (u >> 13 & 1)/0x1000/
