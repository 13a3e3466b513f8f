# caught by: limits
# right, but each of the eight warps takes a ticket
s/^    if (ty == 0 && tx == 0) {$/    if (ty == 0 \&\& tx == 0)\n        last = false;\n    __syncthreads();\n    if (tx == 0 \&\& ty % 2 == 0 \&\& atomicAdd(\&tickets[tile], 1u) == SPLITS * TILE \/ 2 - 1) {/
s/^        last = atomicAdd.*$/        last = true;/
s/^        if (last)$/        {/
s/^            tickets\[tile\] = 0;$/&\n        }/
