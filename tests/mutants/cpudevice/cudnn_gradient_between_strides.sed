# file: cpudevice/libraries/dnn_convolution.c
# test: libraries.sh cudnn_convolution
s/inside &= at\[k\] >= 0 && at\[k\] % c->stride\[k\] == 0;/inside \&= at[k] >= 0;/
