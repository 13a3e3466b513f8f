# file: cpudevice/checker/regions/region.c
# test: cpudevice/tests/checker/check_bulk.sh small
s/if (g->op != w->op->id ||/if (!g->op ||/
