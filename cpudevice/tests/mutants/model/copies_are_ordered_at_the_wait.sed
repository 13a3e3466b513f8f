# file: cpudevice/model/gather.c
# test: cpudevice/tests/model/model.sh 'ordered a turn ahead'
s/return cycles > past ? cycles - past : 0;/return cycles;/
