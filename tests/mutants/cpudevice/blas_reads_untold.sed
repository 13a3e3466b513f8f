# file: cpudevice/libraries/blas.c
# test: libraries.sh cublas_check
s/look_at(&m\[i\], true, false)/look_at(\&m[i], false, false)/
