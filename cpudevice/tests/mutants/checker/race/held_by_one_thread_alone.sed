# file: cpudevice/checker/race/held.c
# test: cpudevice/tests/checker/check_mistakes.sh races/race_block_lock_early_fence
s/w->held.follows = w->held.section->met ||/w->held.follows =/
