# file: cpudevice/compiler/emit/arithmetic.c
# test: cpudevice/tests/model/model.sh 'a launch whose instructions are not counted says so'
s/if (b->u->model)/if (b->u->check)/
