# file: cpudevice/compiler/emit/arithmetic_doubles.c
# test: cpudevice/tests/model/model.sh 'arithmetic in float, and what the compiler computes, is not counted'
s/case E_LITERAL: return true;/case E_LITERAL: return false;/
