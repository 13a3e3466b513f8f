# file: cpudevice/runtime/async/mbarrier.c
# test: cpudevice/tests/checker/check_orders.sh mbarriers/async_init_no_barrier
s/^    if (!observed.reports_deadlock || (uintptr_t)object/    if (1 || (uintptr_t)object/
