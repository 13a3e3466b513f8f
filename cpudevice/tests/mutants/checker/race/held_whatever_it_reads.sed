# file: cpudevice/checker/race/held.c
# test: cpudevice/tests/checker/check_mistakes.sh right/lock_orders
s/strong ? a == w->held.lock \&\& w->thread == s->thread :/strong ? 1 :/
