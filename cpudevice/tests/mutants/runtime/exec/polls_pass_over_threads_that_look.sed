# file: cpudevice/runtime/exec/wait.c
# test: cpudevice/tests/runtime/core polling
s/(f->barrier == cpudev_tls.epoch + 1 || (f->request \&\& !f->request->done))/blocked(f)/
