s/cudaMemcpy(h_y, d_x, bytes, cudaMemcpyDeviceToHost)/cudaMemcpy(d_x, h_y, bytes, cudaMemcpyHostToDevice)/
