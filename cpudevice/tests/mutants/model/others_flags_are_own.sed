# file: cpudevice/model/flags.c
# test: cpudevice/tests/model/model.sh 'a flag that another block has stored'
s/(g->several || g->writer != block + 1)/false/
