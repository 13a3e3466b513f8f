# file: cpudevice/libraries/dnn/cudnn_dropout.c
# test: libraries.sh
s/passes++/passes/
