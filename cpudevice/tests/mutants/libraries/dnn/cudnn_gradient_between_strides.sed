# file: cpudevice/libraries/dnn/dnn_convolution.c
# test: cpudevice/tests/libraries/libraries.sh cudnn_convolution
s/inside &= at\[k\] >= 0 && at\[k\] % c->stride\[k\] == 0;/inside \&= at[k] >= 0;/
