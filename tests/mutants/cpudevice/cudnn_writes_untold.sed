# file: cpudevice/libraries/dnn.c
# test: libraries.sh cudnn_check
/^void dnn_store(/,/^}/s/n > 0 \&\& library_checked()/n < 0/
