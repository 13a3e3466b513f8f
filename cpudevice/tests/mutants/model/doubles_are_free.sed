# file: cpudevice/model/gather.c
# test: cpudevice/tests/model/model.sh 'a product and a sum in double are one operation'
s/s->doubles += .*/;/
