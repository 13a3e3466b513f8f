# file: cpudevice/model/gather.c
# test: cpudevice/tests/model/model.sh 'shuffles are waited for'
s/w->now + model.chip.shuffle_cycles;/w->now;/
