s/^    p = merge(p);$//
