# file: cpudevice/checker/race/held.c
# test: cpudevice/tests/checker/check_mistakes.sh right/lock_orders
s/if (strong \&\& a == w->held.lock)/if (strong)/
