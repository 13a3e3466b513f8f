# file: cpudevice/libraries/dnn/dnn.c
# test: cpudevice/tests/libraries/libraries.sh cudnn
/^static bool may_join(/,/^}/s/            return false;$/            return v[k].stride[i] > 0;/
