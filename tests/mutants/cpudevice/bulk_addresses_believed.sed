# file: cpudevice/checker/check_bulk.inc
# test: check_bulk.sh
s/if (r->sites \&\& !each \&\& .*) b->failed = 1;//
