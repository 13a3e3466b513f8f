# file: cpudevice/compiler/emit/arithmetic_doubles.c
# test: cpudevice/tests/model/model.sh 'two products and a sum are two'
s/? 0 \/\* of one multiply-add \*\//? 1/
