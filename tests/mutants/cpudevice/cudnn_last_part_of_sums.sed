# file: cpudevice/libraries/dnn_convolution.c
# test: libraries.sh cudnn_convolution
s/for (int64_t from = 0; from < t->depth; from += DEPTH)/for (int64_t from = 0; from + DEPTH <= t->depth || !from; from += DEPTH)/
