# file: cpudevice/libraries/dnn_activate.c
# test: libraries.sh cudnn
s/exponential(-beta \* x\[i\])/exponential(-x[i])/
