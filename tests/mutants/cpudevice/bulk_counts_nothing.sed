# file: cpudevice/checker/check_bulk.inc
# test: check_bulk.sh
s/if (f->delta_count) counters_replay/if (0) counters_replay/
