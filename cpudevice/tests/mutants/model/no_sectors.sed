# file: cpudevice/model/gather.c
# test: cpudevice/tests/model/model.sh strided
s/for (unsigned k = 0; k < n; k++) {/for (unsigned k = 0; k < (n < 4 ? n : 4); k++) {/
