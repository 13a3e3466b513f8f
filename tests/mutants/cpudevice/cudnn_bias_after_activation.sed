# file: cpudevice/libraries/dnn_convolution.c
# test: libraries.sh cudnn_convolution
s/(c->beta != 0 ? c->beta \* z\[i\] : 0) + b;/(c->beta != 0 ? c->beta * z[i] : 0);/
