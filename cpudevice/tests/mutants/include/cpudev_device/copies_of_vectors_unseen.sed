# file: cpudevice/include/cpudev_device.h
# test: cpudevice/tests/checker/check_mistakes.sh structs/vector_taken_beyond
s/std::is_trivially_copy_constructible<__T>::value \&\&/std::is_trivially_copyable<__T>::value \&\&/
