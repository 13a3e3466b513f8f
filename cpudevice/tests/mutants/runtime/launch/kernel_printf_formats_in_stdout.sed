# file: cpudevice/runtime/launch/kernel_printf.c
# test: cpudevice/tests/runtime/messages.sh 'a kernel faults while it prints'
s/cpudev_on_device() ? print(format, values) : vprintf/vprintf/
