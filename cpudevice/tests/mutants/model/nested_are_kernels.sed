# file: cpudevice/model/report.c
# test: cpudevice/tests/model/model.sh 'a kernel that a kernel launches'
s/l->nested  *?/false ?/
