# file: cpudevice/checker/race/held.c
# test: cpudevice/tests/checker/check_mistakes.sh races/race_block_lock_early_fence
s/of->of\[i\].epoch, of->of\[i\].thread)/of->of[i].epoch, of->thread)/
