# file: cpudevice/checker/check_bulk.inc
# test: check_bulk.sh
s/if (g->op != w->op->id ||/if (!g->op ||/
