# file: cpudevice/include/curand_lanes.h
# test: cpudevice/tests/runtime/random test_poisson
s/us >= 0.07 \&\& v <= .*/us >= 0)/
