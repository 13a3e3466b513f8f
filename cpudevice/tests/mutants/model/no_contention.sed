# file: cpudevice/model/estimate.c
# test: cpudevice/tests/model/model.sh 'atomics on one word'
/l->hottest \/ c->same_atomics_per_ns/d
