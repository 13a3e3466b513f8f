# file: cpudevice/runtime/module.c
# test: driver_api.sh cubin
s/"_ZL%zu%s"/"_ZL%zu.%s"/
