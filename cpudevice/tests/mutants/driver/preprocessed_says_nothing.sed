# file: cpudevice/driver/preprocessed.c
# test: cpudevice/tests/compiler/driver_preprocessed
s/return !status \&\& messages \&\& !\*messages \&\&/return !status \&\&/
