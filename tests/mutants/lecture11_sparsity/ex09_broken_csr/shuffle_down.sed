# caught by: nothing
s/__shfl_xor_sync(0xffffffffu, v, step)/__shfl_down_sync(0xffffffffu, v, step, LANES)/
