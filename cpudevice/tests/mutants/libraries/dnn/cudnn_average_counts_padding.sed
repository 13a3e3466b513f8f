# file: cpudevice/libraries/dnn/cudnn_pooling.c
# test: cpudevice/tests/libraries/libraries.sh cudnn_layers
s/if (p->mode == CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING)/if (p->mode == CUDNN_POOLING_MAX)/
