# file: cpudevice/libraries/dnn/cudnn_dropout.c
# test: cpudevice/tests/libraries/libraries.sh cudnn_layers
s/passes++/passes/
