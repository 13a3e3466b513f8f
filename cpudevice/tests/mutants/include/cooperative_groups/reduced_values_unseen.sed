# file: cpudevice/include/cooperative_groups/reduce.h
# test: cpudevice/tests/checker/check_mistakes.sh structs/group_reduce_beyond
s/::cpudev_warp_allgather(g.mask, (const void \*)&own,/::cpudev_warp_allgather(g.mask, (const void *)\&value,/
