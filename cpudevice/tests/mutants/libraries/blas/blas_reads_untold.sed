# file: cpudevice/libraries/blas/blas.c
# test: cpudevice/tests/libraries/libraries.sh cublas_check
s/look_at(&m\[i\], true, false)/look_at(\&m[i], false, false)/
