# file: cpudevice/libraries/dnn/dnn.c
# test: libraries.sh
/^void dnn_fetch(/,/^}/s/n > 0 \&\& library_checked()/n < 0/
