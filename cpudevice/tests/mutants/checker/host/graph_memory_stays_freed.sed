# file: cpudevice/checker/host/work.c
# test: cpudevice/tests/checker/check_launches.sh graphs/graph_memory_early
/check_heap_again/s/check_heap_again(op->d.dst)/(void)op/
