s/mbarrier_wait(bar, 0);/mbarrier_wait(bar, 1);/
