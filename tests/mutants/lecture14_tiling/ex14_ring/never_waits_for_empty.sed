# caught by: check
/^            mbarrier_wait(empty/d
