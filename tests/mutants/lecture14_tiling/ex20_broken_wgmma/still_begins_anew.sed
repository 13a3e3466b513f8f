s/k + i > 0/i > 0/
