# file: cpudevice/libraries/dnn/cudnn_dropout.c
# test: cpudevice/tests/libraries/libraries.sh
s/passes++/passes/
