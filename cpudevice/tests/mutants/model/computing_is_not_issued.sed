# file: cpudevice/model/estimate.c
# test: cpudevice/tests/model/model.sh 'what is computed in double is issued'
s/ + computing(t)) \//) \//
