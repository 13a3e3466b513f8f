# file: cpudevice/include/curand_mrg.h
# test: cpudevice/tests/runtime/random test_mrg
s/SUBSEQUENCE = 76/SUBSEQUENCE = 75/
