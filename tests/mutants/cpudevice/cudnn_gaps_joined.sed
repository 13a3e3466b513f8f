# file: cpudevice/libraries/dnn.c
# test: libraries.sh cudnn
s/            return false;$/            return v[k].stride[i] > 0;/
