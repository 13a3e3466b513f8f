# file: cpudevice/libraries/dnn/dnn_activate.c
# test: cpudevice/tests/libraries/libraries.sh cudnn
s/exponential(-beta \* x\[i\])/exponential(-x[i])/
