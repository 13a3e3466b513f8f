/* other.c: a libcudart in which everything fails, visible to all that is loaded later; as a program with PyTorch has. */
int cudaMalloc(void) { return 999; }
int cudaMemcpy(void) { return 999; }
int cudaLaunchKernel(void) { return 999; }
int cudaFree(void) { return 999; }
