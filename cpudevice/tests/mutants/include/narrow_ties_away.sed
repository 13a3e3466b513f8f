# file: cpudevice/include/cpudev_narrowfloat.h
# test: cpudevice/tests/runtime/narrow
s/ || (rest == 0.5 \&\& (code \& 1))/ || rest == 0.5/
