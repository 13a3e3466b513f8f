# file: cpudevice/include/cpudev_device.h
# test: cpudevice/tests/checker/findings.sh loops
s/__asm__ volatile("movl %1, %0" : "=m"(cpudev_check_thread) : "r"((unsigned)t));//
s/__asm__ volatile("str %w1, %0" : "=m"(cpudev_check_thread) : "r"((unsigned)t));//
