# file: cpudevice/runtime/driver_api/module.c
# test: cpudevice/tests/toolkit/shared.sh 'PTX is refused, with the reason in the error log'
s/snprintf(log->text, log->room,/snprintf(log->text, 200,/
