# file: cpudevice/include/curand_mrg.h
# test: cpudevice_random
s/SUBSEQUENCE = 76/SUBSEQUENCE = 75/
