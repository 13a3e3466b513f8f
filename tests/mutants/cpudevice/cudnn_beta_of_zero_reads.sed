# file: cpudevice/libraries/dnn.c
# test: libraries.sh cudnn
s/    if (beta != 0) {/    if (beta == beta) {/; s/        if (beta != 0) {/        if (beta == beta) {/
