# file: cpudevice/libraries/cudnn_dropout.c
# test: libraries.sh
s/passes++/passes/
