# file: cpudevice/include/cpudev_smallfloat.h
# test: tests/course/mma test_subject
s/(lost ? 0x20000000u : 0)/(uint64_t)0/
