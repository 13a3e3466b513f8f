# file: cpudevice/driver/preprocessed.c
# test: cpudevice/tests/compiler/driver_preprocessed of_headers
s/ || strcmp(line, now.word\[0\]) != 0)/)/
