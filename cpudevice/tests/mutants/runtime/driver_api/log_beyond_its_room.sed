# file: cpudevice/runtime/driver_api/module.c
# test: cpudevice/tests/toolkit/shared.sh loads
s/snprintf(log->text, log->room,/snprintf(log->text, 200,/
