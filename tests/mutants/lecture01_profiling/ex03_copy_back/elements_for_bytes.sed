s/n \* sizeof(float), cudaMemcpyDeviceToHost/n, cudaMemcpyDeviceToHost/
