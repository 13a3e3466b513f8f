# file: cpudevice/checker/regions/region.c
# test: cpudevice/tests/model/model.sh 'regions run in bulk under the model'
s/check_hooks.instruction != NULL) && f->delta_count)/check_hooks.instruction != NULL))/
