# caught by: nothing
/mbarrier_init(bar/,/mbarrier_arrive_expect/s/^    if (tx == 0 \&\& ty == 0) {$/    if (tx == SIDE - 1 \&\& ty == 7) {/
