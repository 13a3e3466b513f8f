# file: cpudevice/checker/race/remote.c
# test: cpudevice/tests/checker/check_mistakes.sh cluster/cluster_no_sync cluster/cluster_two_writers cluster/cluster_written_again
s/^    check_visit_put(w, t, a, bytes, flags, pc);//
