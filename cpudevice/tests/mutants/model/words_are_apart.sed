# file: cpudevice/model/gather.c
# test: cpudevice/tests/model/model.sh 'atomics on one unit'
s/sector\[k\] \/ UNIT_SECTORS/sector[k]/
