# file: cpudevice/runtime/memory/vmm.c
# test: cpudevice/tests/runtime/driver_api.sh vmm
s/m->file, (off_t)offset/m->file, 0/
