# file: cpudevice/checker/race/cluster.c
# test: cpudevice/tests/checker/check_mistakes.sh
s/if (!pc_of(r) || cluster_ordered(w, block, r))/if (!pc_of(r) || w->in_cluster)/
