# caught by: limits
# right, but all 256 threads take a ticket
s/^    if (ty == 0 && tx == 0) {$/    if (ty == 0 \&\& tx == 0)\n        last = false;\n    __syncthreads();\n    if (atomicAdd(\&tickets[tile], 1u) == SPLITS * TILE * TILE - 1) {/
s/^        last = atomicAdd.*$/        last = true;/
s/^        if (last)$/        {/
s/^            tickets\[tile\] = 0;$/&\n        }/
