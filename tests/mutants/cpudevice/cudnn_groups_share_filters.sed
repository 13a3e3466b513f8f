# file: cpudevice/libraries/dnn_convolution.c
# test: libraries.sh cudnn_convolution
s/place_in_filter(c, group \* outputs + k, channel/place_in_filter(c, k, channel/
