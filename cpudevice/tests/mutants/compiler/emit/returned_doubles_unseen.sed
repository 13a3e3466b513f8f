# file: cpudevice/compiler/emit/arithmetic_doubles.c
# test: cpudevice/tests/model/model.sh 'what a function returns is converted'
s/case S_RETURN: returned(b, n); break;//
