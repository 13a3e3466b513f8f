# file: cpudevice/model/gather.c
# test: cpudevice/tests/model/model.sh latency
s/step \/= stores ? 1 : UNROLL;/(void)stores;/
