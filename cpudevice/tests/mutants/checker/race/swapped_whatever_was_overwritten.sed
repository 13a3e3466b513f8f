# file: cpudevice/checker/race/swapped.c
# test: cpudevice/tests/checker/check_mistakes.sh right/lock_orders
s/ || y->hidden)/)/
