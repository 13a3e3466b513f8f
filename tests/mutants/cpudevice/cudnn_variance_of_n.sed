# file: cpudevice/libraries/cudnn_batchnorm.c
# test: libraries.sh cudnn_layers
s/n > 1 ? m.variance \* (double)n \/ (double)(n - 1) : m.variance/m.variance/
