# file: cpudevice/libraries/dnn/dnn_activate.c
# test: cpudevice/tests/libraries/libraries.sh
s/exponential(-beta \* x\[i\])/exponential(-x[i])/
