/^        const int left/,/<<< answer/s/cudaSetDevice(g->device\[r\])/cudaSetDevice(g->device[left])/
