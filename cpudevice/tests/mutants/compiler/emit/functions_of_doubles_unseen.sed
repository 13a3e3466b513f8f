# file: cpudevice/compiler/emit/arithmetic_doubles.c
# test: cpudevice/tests/model/model.sh 'functions in double'
s/case E_CALL: call(b, n); break;//
