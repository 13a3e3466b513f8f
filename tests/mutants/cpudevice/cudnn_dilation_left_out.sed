# file: cpudevice/libraries/dnn_convolution.c
# test: libraries.sh cudnn_convolution
s/- c->pad\[k\] + t.at\[k\] \* c->dilation\[k\]/- c->pad[k] + t.at[k]/
