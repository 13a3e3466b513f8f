# file: cpudevice/model/estimate.c
# test: cpudevice/tests/model/model.sh 'blocks start one after the other'
s/e.part\[PART_LAUNCH\] += starts(c, l);//
