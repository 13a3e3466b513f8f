// Right: structs with padding between their fields travel back to the host.
#include "../mistake.h"

struct item { char tag; double value; short n; };
__global__ void make(item *x)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	x[i].tag = 'a';
	x[i].value = i;
	x[i].n = (short)i;
}
int main()
{
	item *d, h[64];
	CHECK(cudaMalloc(&d, sizeof h));
	make<<<2, 32>>>(d);
	CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(d));
	return h[63].value != 63;
}
