# file: cpudevice/model/flags.c
# test: cpudevice/tests/model/model.sh 'a counter to which all add'
s/if (what == FLAG_LOOK)/if (what == FLAG_LOOK || what == FLAG_ADD)/
