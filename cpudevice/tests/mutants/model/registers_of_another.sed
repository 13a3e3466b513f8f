# file: cpudevice/model/registers.c
# test: cpudevice/tests/model/model.sh 'each kernel has its own'
s/return differ ? 0 : alike/return alike/
