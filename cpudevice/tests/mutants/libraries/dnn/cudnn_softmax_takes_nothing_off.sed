# file: cpudevice/libraries/dnn/cudnn_reduce.c
# test: cpudevice/tests/libraries/libraries.sh cudnn_layers
s/algo == CUDNN_SOFTMAX_FAST ? 0 : -INFINITY/0/; s/i < n \&\& algo != CUDNN_SOFTMAX_FAST/i < 0/
