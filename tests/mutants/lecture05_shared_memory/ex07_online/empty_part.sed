s|a.max == -INFINITY ? 0 : ||
s|b.max == -INFINITY ? 0 : ||
