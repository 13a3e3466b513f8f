# file: cpudevice/include/cpudev_math.h
# test: cpudevice/tests/arithmetic/subnormal.sh
s/^        a = flushed(a); */        /
