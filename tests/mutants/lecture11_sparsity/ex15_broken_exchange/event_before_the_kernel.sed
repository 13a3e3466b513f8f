# caught by: check
/^        CUDA_CHECK(cudaEventRecord/d
s/^        fill_kernel/        CUDA_CHECK(cudaEventRecord(g->ready[r], g->stream[r]));\n        fill_kernel/
