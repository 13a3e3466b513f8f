# file: cpudevice/model/report.c
# test: cpudevice/tests/model/model.sh "a library's kernel"
s/l->library /false /
