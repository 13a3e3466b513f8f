# file: cpudevice/libraries/dnn/dnn_convolution.c
# test: cpudevice/tests/libraries/libraries.sh cudnn_convolution
s/(c->beta != 0 ? c->beta \* z\[i\] : 0) + b;/(c->beta != 0 ? c->beta * z[i] : 0);/
