# the pairs of a thread in reverse
s/order\[to++\] = i;/order[to + --mine] = i;/
