# file: cpudevice/libraries/dnn.c
# test: libraries.sh
s/    if (beta != 0) {/    if (beta == beta) {/; s/        if (beta != 0) {/        if (beta == beta) {/
