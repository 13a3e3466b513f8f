# file: cpudevice/libraries/dnn/cudnn_reduce.c
# test: cpudevice/tests/libraries/libraries.sh cudnn_layers
s/b->index = (uint32_t)(at + i);/b->index = (uint32_t)i;/
