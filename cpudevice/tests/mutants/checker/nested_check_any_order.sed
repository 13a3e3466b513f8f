# file: cpudevice/checker/race/order.c
# test: cpudevice/tests/checker/check_nested.sh
s/if (child->d.tail || g->grid < child->launch_grid)/if (1)/
