# file: cpudevice/libraries/dnn/cudnn_batchnorm.c
# test: cpudevice/tests/libraries/libraries.sh cudnn_layers
s/n > 1 ? m.variance \* (double)n \/ (double)(n - 1) : m.variance/m.variance/
