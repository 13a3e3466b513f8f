# file: cpudevice/compiler/emit/arithmetic_instructions.c
# test: cpudevice/tests/model/model.sh 'a loop round a barrier'
s/const bool all = .*/const bool all = false;/
