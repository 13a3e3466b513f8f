# caught by: nothing
s/^        CUDA_CHECK(cudaStreamWaitEvent.*/        for (int k = 0; k < g->count; k++)\n            CUDA_CHECK(cudaStreamWaitEvent(g->stream[r], g->ready[k], 0));/
