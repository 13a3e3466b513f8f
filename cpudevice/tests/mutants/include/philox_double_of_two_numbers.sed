# file: cpudevice/include/curand_kernel.h
# test: cpudevice/tests/runtime/random test_as_on_a_gpu
s|return (double)curand(s) \* 2.3283064365386963e-10 + 2.3283064365386963e-10;|return cpudev_uniform_53(s);|
