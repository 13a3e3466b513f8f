# caught by: nothing
s/triple_kernel<<<(n + 255) \/ 256, 256>>>/triple_kernel<<<n \/ 64 + 1, 64>>>/
s/error = cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice)/error = cudaMemcpyAsync(d_x, h_x, bytes, cudaMemcpyDefault, 0)/
