s/cudaMemcpy(h_x, d_x, n \* sizeof(float), cudaMemcpyDeviceToHost)/cudaMemcpy(d_x, h_x, n * sizeof(float), cudaMemcpyHostToDevice)/
