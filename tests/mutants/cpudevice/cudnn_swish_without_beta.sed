# file: cpudevice/libraries/dnn_activate.c
# test: libraries.sh
s/exponential(-beta \* x\[i\])/exponential(-x[i])/
