// Launches as formatters leave them.
// TEST: a launch by << < and >> >
// RUN: $cucc -o $exe $case; $exe
__global__ void k(int *p) { *p = 3; }
int main() { int *p; cudaMallocManaged(&p, 4); k << <1, 1 >> > (p); k <<<dim3(8 >> 3), 1 >> > (p); cudaDeviceSynchronize(); return *p != 3; }
