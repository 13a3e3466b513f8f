# file: lecture14_tiling/attention_backward/03_mma_sync.cuh
# test: lecture14_tiling/attention_backward 3
s/p1 \* (dp\[i\]\[j\]\[2 \* h + 1\] - delta.y)/p1 * dp[i][j][2 * h + 1]/
