# file: lecture14_tiling/attention_backward/03_mma_sync.cuh
# test: lecture14_tiling/attention_backward 3
s/        if (n > 0)$/        if (n > 0 \&\& n < steps)/
