# file: cpudevice/include/curand_mrg.h
# test: cpudevice/tests/runtime/random
s/SUBSEQUENCE = 76/SUBSEQUENCE = 75/
