# caught by: check
s/^    mbarrier_wait(bar, 0);/    if (tx == 0 \&\& ty == 0)\n        mbarrier_wait(bar, 0);/
