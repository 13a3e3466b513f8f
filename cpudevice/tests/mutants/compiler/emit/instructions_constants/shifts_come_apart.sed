# file: cpudevice/compiler/emit/instructions_constants.c
# test: cpudevice/tests/model/model.sh 'the kernels compute what they say'
s/i && k\[-1\].s + k\[-1\].len == k->s ? "" : " "/" "/
