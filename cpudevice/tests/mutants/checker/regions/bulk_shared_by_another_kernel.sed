# file: cpudevice/checker/regions/rows.c
# test: cpudevice/tests/checker/check_bulk.sh other_kernel
s/return g && g->op == w->op->id && __atomic_load_n/return g \&\& __atomic_load_n/
