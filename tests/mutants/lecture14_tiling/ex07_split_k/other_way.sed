# caught by: nothing
# a counter that wraps by itself
s/^        last = atomicAdd(&tickets\[tile\], 1u) == SPLITS - 1;$/        last = atomicInc(\&tickets[tile], SPLITS - 1) == SPLITS - 1;/
/^        if (last)$/d
/^            tickets\[tile\] = 0;$/d
