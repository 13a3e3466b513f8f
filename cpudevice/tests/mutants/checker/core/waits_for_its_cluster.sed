# file: cpudevice/checker/core/running.c
# test: cpudevice/tests/checker/check_mistakes.sh right/cluster_same_value
s/ || check_is_peer(w, g->block))/)/
s/nanosleep(&nap, NULL)/n--/
