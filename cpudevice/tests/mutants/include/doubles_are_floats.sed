# file: cpudevice/include/cpudev_instructions.h
# test: cpudevice/tests/model/model.sh 'a type that a template gives'
s/double>::value *? 3/double>::value ? 2/
