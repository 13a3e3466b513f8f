# file: cpudevice/runtime/driver_api/driver_context.c
# test: cpudevice/tests/runtime/driver_api.sh questions
s/    c->uses++;/    (void)c;/
