# caught by: nothing
s/^        CUDA_CHECK(cudaStreamWaitEvent.*/        CUDA_CHECK(cudaEventSynchronize(g->ready[left]));/
