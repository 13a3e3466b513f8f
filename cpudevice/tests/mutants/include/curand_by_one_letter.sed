# file: cpudevice/include/curand.h
# test: cpudevice/tests/compiler/lexer.sh letters
s/\b__T\b/T/g
