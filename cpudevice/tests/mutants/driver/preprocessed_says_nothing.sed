# file: cpudevice/driver/preprocessed.c
# test: cpudevice/tests/compiler/driver_preprocessed of_messages
s/return !status \&\& messages \&\& !\*messages \&\&/return !status \&\&/
