# file: cpudevice/model/registers.c
# test: cpudevice/tests/model/model.sh 'each kernel has its own'
/if (!strcmp(e->name, name))/,+1d
