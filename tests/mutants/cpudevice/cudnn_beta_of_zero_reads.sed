# file: cpudevice/libraries/dnn/dnn.c
# test: libraries.sh
s/    if (beta != 0) {/    if (beta == beta) {/; s/        if (beta != 0) {/        if (beta == beta) {/
