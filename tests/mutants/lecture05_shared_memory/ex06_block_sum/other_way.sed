# caught by: nothing
s/__shfl_down_sync/__shfl_xor_sync/
s/^    if (warp == 0)$/    if (warp < 1)/
