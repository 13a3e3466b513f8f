# file: cpudevice/model/flags.c
# test: cpudevice/tests/model/model.sh 'a lock'
s/return g->exchanged && g->stored;/return false;/
