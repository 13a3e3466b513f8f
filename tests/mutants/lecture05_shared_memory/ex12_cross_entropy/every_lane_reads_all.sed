# caught by: limits
# right, but each lane walks along the whole row
s/^    for (int c = lane; c < cols; c += 32)$/    for (int c = 0; c < cols; c++)/
s/^    p = merge(p);$//
s/^        d\[c\] = /        if (c % 32 == lane)\n            d[c] = /
