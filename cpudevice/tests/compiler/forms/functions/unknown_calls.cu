// dump regions
// rule calls: an unknown function may wait, and ask for threadIdx
__global__ void k(int *p) { p[threadIdx.x] = unknown(1); }
__global__ void known(int *p) { p[threadIdx.x] = min(1, 2); }
