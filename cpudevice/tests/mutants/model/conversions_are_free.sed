# file: cpudevice/model/gather.c
# test: cpudevice/tests/model/model.sh 'a float beside a double is converted, and back'
s/s->conversions += .*/;/
