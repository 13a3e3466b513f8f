# caught by: limits
s/^    if (warp == 0)$/    (void)lane;\n    v = 0;\n    for (int w = 0; w < warps; w++)/
s/^        v = warp_sum(lane < warps ? sums\[lane\] : 0);$/        v += sums[w];/
