# file: cpudevice/model/report.c
# test: cpudevice/tests/model/model.sh 'the table says that arithmetic is not counted'
s/all_counted &= counted(l) || unknown(l)/all_counted \&= true/
