# file: cpudevice/include/curand_lanes.h
# test: cpudevice/tests/runtime/random test_host_orders
s/rest > first ? rest - first : 0/rest > first ? 0 : 0 * first/
