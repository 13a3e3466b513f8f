# file: cpudevice/compiler/emit/arithmetic_instructions.c
# test: cpudevice/tests/model/model.sh 'the long body of a condition that lanes need not share'
s/ ? CPUDEV_OF_BRANCH : BRANCH/ ? BRANCH : BRANCH/
