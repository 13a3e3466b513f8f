# file: cpudevice/model/estimate.c
# test: cpudevice/tests/model/model.sh 'the tail'
s/return whole_up((double)l->sum.blocks \/ c->sms);/return (double)l->sum.blocks \/ c->sms;/
