# file: cpudevice/compiler/emit/arithmetic_doubles.c
# test: cpudevice/tests/model/model.sh 'a division by a power of two is a product'
s/== 0\.5$/== 2/
