# file: cpudevice/model/estimate.c
# test: cpudevice/tests/model/model.sh 'integer division'
s/longest = most(longest, cycles\[i\])/longest += cycles[i]/
