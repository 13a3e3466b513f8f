# file: cpudevice/model/estimate.c
# test: cpudevice/tests/model/model.sh 'parts hide each other in part'
s/(part\[PART_LATENCY\] < longest ? first : 0)/0/
