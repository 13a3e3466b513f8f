# file: cpudevice/model/gather.c
# test: cpudevice/tests/model/model.sh 'L2 is asked once for all'
s/i->kind != KIND_ST || bytes\[k\] >= CACHE_SECTOR/true/
