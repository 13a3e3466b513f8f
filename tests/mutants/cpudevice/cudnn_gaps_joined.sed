# file: cpudevice/libraries/dnn.c
# test: libraries.sh cudnn
/^static bool may_join(/,/^}/s/            return false;$/            return v[k].stride[i] > 0;/
