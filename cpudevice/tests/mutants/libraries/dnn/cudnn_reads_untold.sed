# file: cpudevice/libraries/dnn/dnn.c
# test: cpudevice/tests/libraries/libraries.sh cudnn_check
/^void dnn_fetch(/,/^}/s/n > 0 \&\& library_checked()/n < 0/
