# file: cpudevice/runtime/driver_api/driver_pointer.c
# test: cpudevice/tests/runtime/driver_api.sh questions
s/ || (a.kind != R_DEVICE \&\& a.kind != R_MANAGED))/)/
