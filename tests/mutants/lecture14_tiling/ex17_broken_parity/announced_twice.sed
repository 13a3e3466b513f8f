# caught by: check
/^            mbarrier_arrive_expect/{
p
}
