# file: cpudevice/model/estimate.c
# test: cpudevice/tests/model/model.sh 'without cucc --model accesses and one use of each value are issued'
s/t->loads + (t->doubles/(t->doubles/
