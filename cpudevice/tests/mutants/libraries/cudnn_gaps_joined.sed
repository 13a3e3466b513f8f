# file: cpudevice/libraries/dnn/dnn.c
# test: cpudevice/tests/libraries/libraries.sh
s/            return false;$/            return v[k].stride[i] > 0;/
