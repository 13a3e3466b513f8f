# file: cpudevice/include/cpudev_device.h
# test: cpudevice/tests/random/random_accesses
s/unsigned long long old = cpudev_check_update_begin(w, sizeof(__W), order);/unsigned long long old = __atomic_load_n(w, 0); old = cpudev_check_update_begin(w, sizeof(__W), order);/
