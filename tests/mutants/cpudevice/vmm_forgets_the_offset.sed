# file: cpudevice/runtime/memory/vmm.c
# test: driver_api.sh
s/m->file, (off_t)offset/m->file, 0/
