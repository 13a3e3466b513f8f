# file: cpudevice/model/estimate.c
# test: cpudevice/tests/model/model.sh 'parts hide each other in part'
s/ + c->block_cycles \* (turns - 1)//
