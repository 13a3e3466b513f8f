# file: cpudevice/checker/race/held.c
# test: cpudevice/tests/checker/check_mistakes.sh races/race_lock_block_fence
s/scope >= FENCE_DEVICE/scope >= FENCE_BLOCK/
