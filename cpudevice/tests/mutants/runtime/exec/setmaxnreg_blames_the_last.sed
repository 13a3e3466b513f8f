# file: cpudevice/runtime/exec/setmaxnreg.c
# test: cpudevice/tests/checker/check_orders.sh wgmma/async_setmaxnreg_too_many
s/^    for (unsigned i = 0; !g->increase \&\& i < GROUPS; i++)/    for (unsigned i = GROUPS; i < GROUPS; i++)/
