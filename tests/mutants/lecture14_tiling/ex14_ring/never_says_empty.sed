/^            mbarrier_arrive(empty/d
