# file: cpudevice/libraries/dnn/dnn_activate.c
# test: libraries.sh
s/exponential(-beta \* x\[i\])/exponential(-x[i])/
