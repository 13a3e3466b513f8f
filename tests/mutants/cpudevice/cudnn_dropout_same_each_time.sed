# file: cpudevice/libraries/cudnn_dropout.c
# test: libraries.sh cudnn_layers
s/passes++/passes/
