# file: cpudevice/checker/race/held.c
# test: cpudevice/tests/checker/check_mistakes.sh right/lock_orders
s/s->met = s->acquired = 1/s->met = 1/
