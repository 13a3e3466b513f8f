# file: cpudevice/libraries/blas/blas.c
# test: cpudevice/tests/libraries/libraries.sh
s/"NTC"/"NTT"/
