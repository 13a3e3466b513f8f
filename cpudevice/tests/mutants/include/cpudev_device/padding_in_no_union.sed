# file: cpudevice/include/cpudev_device.h
# test: conformance/check/launches/parameters_with_gaps
s/__builtin_clear_padding((in_union<__L> \*)(void \*)&body);/__builtin_clear_padding(\&body);/
