# file: cpudevice/libraries/dnn/dnn.c
# test: libraries.sh
s/            return false;$/            return v[k].stride[i] > 0;/
