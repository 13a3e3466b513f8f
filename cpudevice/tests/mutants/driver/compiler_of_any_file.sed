# file: cpudevice/driver/compiler.c
# test: cpudevice/tests/compiler/driver options
s/known.n == 3 && !strcmp(known.word\[0\], is)/known.n == 3/
