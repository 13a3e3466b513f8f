# file: cpudevice/driver/words.c
# test: cpudevice/tests/compiler/driver options
s/(quoted || p\[n\] != ','); n++)/true; n++)/
