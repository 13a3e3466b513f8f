#!/bin/sh
# check_orders.sh DEVICE [NAME...]: a verdict does not depend on which block or thread comes first: planted mistakes and their
# twins, first and last block first and in two random orders (seeds in which each of them has once had another verdict). All of them,
# and the litmus tests, in twenty random ones: ../campaigns/orders.py.
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP other orders: for the CPU device"; exit 0; }
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- mbarriers/async_init_no_barrier mbarriers/async_parity_inverted asynchronous/async_read_early \
    wgmma/async_wgmma_handed_back_early wgmma/async_setmaxnreg_too_many races/race_relaxed_flag \
    races/race_lock_unfenced_take races/race_lock_block_fence races/race_lock_unfenced_give \
    races/race_lock_relaxed_take races/race_block_lock_unfenced_give races/race_block_lock_early_fence \
    races/race_block_lock_narrow_fence races/race_block_lock_unfenced_take right/lock_orders
failed=0
for order in forward reverse random:1 random:3; do
    sh "$(dirname "$0")/../mistakes/run.sh" -o $order "$@" || failed=1
done
exit $failed
