# caught by: limits
s/^    if (lane == 0)$/    (void)lane, (void)warp, (void)warps;\n    if (t == 0)\n        sums[0] = 0;\n    __syncthreads();/
s/^        sums\[warp\] = v;$/    if (lane == 0)\n        atomicAdd(\&sums[0], v);/
s/^    if (warp == 0)$/    if (t == 0)/
s/^        v = warp_sum(lane < warps ? sums\[lane\] : 0);$/        v = sums[0];/
