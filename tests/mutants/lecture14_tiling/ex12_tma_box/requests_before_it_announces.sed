# caught by: nothing
/^        mbarrier_arrive_expect/{
h
d
}
/^        tma_load(/G
