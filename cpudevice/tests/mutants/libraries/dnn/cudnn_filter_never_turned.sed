# file: cpudevice/libraries/dnn/dnn_convolution.c
# test: cpudevice/tests/libraries/libraries.sh cudnn_convolution
s/(c->turned ? taps_of(c) - 1 - flat : flat) \* step/flat * step/; s/return c->turned ? -c->w.stride\[4\] : c->w.stride\[4\];/return c->w.stride[4];/
