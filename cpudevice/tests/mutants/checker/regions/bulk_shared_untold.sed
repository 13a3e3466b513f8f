# file: cpudevice/checker/regions/region.c
# test: cpudevice/tests/model/model.sh 'bank conflicts'
s/check_hooks.instruction != NULL) && f->delta_count)/check_hooks.instruction != NULL) \&\& f->delta_count < 0)/
