# file: cpudevice/compiler/emit/arithmetic_doubles.c
# test: cpudevice/tests/model/model.sh 'a division in double takes twelve'
s/enum { DIVISION = 12,/enum { DIVISION = 1,/
