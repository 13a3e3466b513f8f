# file: cpudevice/compiler/emit/arithmetic_instructions.c
# test: cpudevice/tests/model/model.sh 'the long body of a condition that is false'
s/(of_body.known & 0xffff) <= CPUDEV_PREDICATED/(of_body.known \& 0xffff) <= 99/
