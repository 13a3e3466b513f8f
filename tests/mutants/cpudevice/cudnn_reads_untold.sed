# file: cpudevice/libraries/dnn.c
# test: libraries.sh cudnn_check
/^void dnn_fetch(/,/^}/s/n > 0 \&\& library_checked()/n < 0/
