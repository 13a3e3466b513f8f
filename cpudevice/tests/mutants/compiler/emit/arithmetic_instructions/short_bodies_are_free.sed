# file: cpudevice/compiler/emit/arithmetic_instructions.c
# test: cpudevice/tests/model/model.sh 'the short body of a condition that is false'
s/s.known += of_body.known;/;/
