# file: cpudevice/checker/memory/init.c
# test: cpudevice/tests/checker/check_orders.sh asynchronous/async_read_early
s/if (!w->unset.at\[i\].copied \&\& /if (/
