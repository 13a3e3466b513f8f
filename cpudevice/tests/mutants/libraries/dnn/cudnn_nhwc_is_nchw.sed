# file: cpudevice/libraries/dnn/cudnn_descriptors.c
# test: cpudevice/tests/libraries/libraries.sh cudnn
s/if (format == CUDNN_TENSOR_NHWC)$/if (format == CUDNN_TENSOR_NCHW_VECT_C)/; s/format != CUDNN_TENSOR_NHWC)$/format != CUDNN_TENSOR_NCHW_VECT_C)/
