# file: cpudevice/libraries/cudnn_reduce.c
# test: libraries.sh cudnn_layers
s/b->index = (uint32_t)(at + i);/b->index = (uint32_t)i;/
