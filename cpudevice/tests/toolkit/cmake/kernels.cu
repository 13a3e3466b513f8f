__global__ void square(int *a) { a[threadIdx.x] = threadIdx.x * threadIdx.x; }
void run(int *a) { square<<<1, 32>>>(a); }
