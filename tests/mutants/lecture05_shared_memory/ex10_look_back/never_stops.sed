# adds what a whole sum already holds
s/^        if (kind_of(word) == WHOLE_SUM)$/        if (i == 0)/
