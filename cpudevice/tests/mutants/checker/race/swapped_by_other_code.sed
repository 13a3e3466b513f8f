# file: cpudevice/checker/race/swapped.c
# test: cpudevice/tests/checker/check_mistakes.sh right/lock_orders
s/reads \&\& !same_code(x, y) ? -1 : i/i/
