# file: cpudevice/checker/race/held.c
# test: cpudevice/tests/checker/check_mistakes.sh races/race_block_lock_narrow_fence
s/check_publishes(&release, WIDE/check_publishes(\&release, NARROW/
