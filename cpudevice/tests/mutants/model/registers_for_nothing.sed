# file: cpudevice/model/estimate.c
# test: cpudevice/tests/model/model.sh 'occupancy by registers'
/c->registers_per_sm \/ per_warp/d
