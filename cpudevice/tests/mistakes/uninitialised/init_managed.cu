// Managed memory is not cleared either: nothing has filled b.
#include "../mistake.h"

__global__ void add(const float *a, const float *b, float *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) c[i] = a[i] + b[i]; // BUG: initcheck
}

int main()
{
	const int n = 300;
	float *a, *b, *c;
	CHECK(cudaMallocManaged(&a, n * sizeof *a));
	CHECK(cudaMallocManaged(&b, n * sizeof *b));
	CHECK(cudaMallocManaged(&c, n * sizeof *c));
	for (int i = 0; i < n; i++) {
		a[i] = (float)i;
#ifdef FIXED
		b[i] = 1;
#endif
	}
	add<<<3, 128>>>(a, b, c, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
	CHECK(cudaFree(c));
}
