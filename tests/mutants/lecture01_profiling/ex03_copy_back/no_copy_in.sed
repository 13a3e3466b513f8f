/cudaMemcpyHostToDevice));/d
