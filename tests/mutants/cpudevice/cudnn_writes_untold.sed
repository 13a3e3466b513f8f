# file: cpudevice/libraries/dnn/dnn.c
# test: libraries.sh
/^void dnn_store(/,/^}/s/n > 0 \&\& library_checked()/n < 0/
