# file: cpudevice/libraries/dnn.c
# test: libraries.sh
/^void dnn_store(/,/^}/s/n > 0 \&\& library_checked()/n < 0/
