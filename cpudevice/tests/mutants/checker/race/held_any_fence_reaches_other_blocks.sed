# file: cpudevice/checker/race/held.c
# test: cpudevice/tests/checker/check_mistakes.sh races/race_lock_block_fence
s/if (scope < FENCE_DEVICE)/if (scope < FENCE_BLOCK)/
