# file: cpudevice/model/gather.c
# test: cpudevice/tests/model/model.sh 'atomics on one unit'
s/const unsigned passes = passes_of(i, sector\[k\]);/const unsigned passes = 2 * passes_of(i, sector[k]);/
