# file: cpudevice/model/gather.c
# test: cpudevice/tests/model/model.sh 'the host waits for the launch before'
s/model.host.kernel = d->kind == CPUDEV_OP_KERNEL;/model.host.kernel = true;/
