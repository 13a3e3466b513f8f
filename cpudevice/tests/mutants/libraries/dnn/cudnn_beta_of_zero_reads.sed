# file: cpudevice/libraries/dnn/dnn.c
# test: cpudevice/tests/libraries/libraries.sh cudnn
s/    if (beta != 0) {/    if (beta == beta) {/; s/        if (beta != 0) {/        if (beta == beta) {/
