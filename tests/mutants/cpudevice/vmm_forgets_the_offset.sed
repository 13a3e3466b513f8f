# file: cpudevice/runtime/vmm.c
# test: driver_api.sh vmm
s/m->file, (off_t)offset/m->file, 0/
