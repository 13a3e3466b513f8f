# file: cpudevice/include/curand.h
# test: cpudevice/tests/compiler/lexer.sh 'every header compiles where each capital letter is a macro'
s/\b__T\b/T/g
