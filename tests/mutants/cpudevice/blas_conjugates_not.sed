# file: cpudevice/libraries/blas/blas.c
# test: libraries.sh
s/"NTC"/"NTT"/
