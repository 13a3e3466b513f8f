# file: cpudevice/model/estimate.c
# test: cpudevice/tests/model/model.sh 'parts hide each other in part'
s/longest \* pow(sum, 1 \/ c->overlap)/longest/
