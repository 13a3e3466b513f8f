# file: cpudevice/libraries/dnn/dnn_convolution.c
# test: cpudevice/tests/libraries/libraries.sh cudnn_convolution
s/- c->pad\[k\] + t.at\[k\] \* c->dilation\[k\]/- c->pad[k] + t.at[k]/
