# file: cpudevice/libraries/dnn/dnn_convolution.c
# test: cpudevice/tests/libraries/libraries.sh cudnn_convolution
s/place_in_filter(c, group \* outputs + k, channel/place_in_filter(c, k, channel/
