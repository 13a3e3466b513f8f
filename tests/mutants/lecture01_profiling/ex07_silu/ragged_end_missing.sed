s/    if (i < n % 4)/    if (0)/
