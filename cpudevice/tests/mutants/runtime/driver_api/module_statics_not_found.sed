# file: cpudevice/runtime/driver_api/module.c
# test: cpudevice/tests/runtime/driver_api.sh cubin
s/"_ZL%zu%s"/"_ZL%zu.%s"/
