# file: cpudevice/model/flags.c
# test: cpudevice/tests/model/model.sh 'a flag of the host'
s/g->looks >= LOOKS ||/false ||/
