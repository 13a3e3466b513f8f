# caught by: nothing
/^        parity ^= 1;$/d
s/mbarrier_wait(bar, parity);/mbarrier_wait(bar, parity + col \/ COLS % 2);/
