s/c - lane < cols; c += 32/c < cols; c += 32/
s/__ballot_sync(0xffffffffu, v != 0)/__ballot_sync(__activemask(), v != 0)/
