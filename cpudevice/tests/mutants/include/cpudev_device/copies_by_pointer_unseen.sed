# file: cpudevice/include/cpudev_device.h
# test: cpudevice/tests/checker/check_mistakes.sh structs/struct_by_pointer_to_function
/^is_struct<typename decltype(parameter_of/s/^is_struct<.*> takes_struct/std::false_type takes_struct/
