# file: cpudevice/libraries/dnn/dnn_convolution.c
# test: cpudevice/tests/libraries/libraries.sh cudnn_convolution
s/for (int64_t from = 0; from < t->depth; from += DEPTH)/for (int64_t from = 0; from + DEPTH <= t->depth || !from; from += DEPTH)/
