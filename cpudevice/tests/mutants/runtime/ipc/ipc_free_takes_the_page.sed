# file: cpudevice/runtime/ipc/shared_file.c
# test: cpudevice/tests/runtime/ipc
s/from = page_up(slot->start)/from = page_down(slot->start)/
