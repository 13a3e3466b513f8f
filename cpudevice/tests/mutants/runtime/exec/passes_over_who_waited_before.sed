# file: cpudevice/runtime/exec/wait.c
# test: conformance/fibers/barriers/polls_beside_waiting
s/to->barrier == cpudev_tls.epoch + 1;/to->barrier;/
