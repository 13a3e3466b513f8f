# caught by: check
s/cudaStreamWaitEvent(g->stream\[r\], g->ready\[left\]/cudaStreamWaitEvent(g->stream[r], g->ready[r]/
