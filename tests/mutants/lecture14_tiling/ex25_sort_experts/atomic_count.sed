# caught by: limits
# right, but each number is written by an atomic too
s/order\[to++\] = i;/order[to] = i, atomicMax(\&order[to++], i);/
