# file: cpudevice/libraries/blas.c
# test: libraries.sh
s/"NTC"/"NTT"/
