# file: cpudevice/checker/race/cluster.c
# test: cpudevice/tests/checker/check_mistakes.sh cluster/cluster_no_sync cluster/cluster_two_writers cluster/cluster_written_again
s/if (!pc_of(r) || cluster_ordered(w, block, r))/if (!pc_of(r) || w->cluster.in)/
