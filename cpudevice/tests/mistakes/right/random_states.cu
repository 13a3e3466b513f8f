// Right: each thread has a random state of its own, made in one kernel and used in the next.
#include "../mistake.h"
#include <curand_kernel.h>

__global__ void init(curandState *states) { curand_init(1234, threadIdx.x, 0, &states[threadIdx.x]); }
__global__ void draw(curandState *states, float *x, int n)
{
	curandState s = states[threadIdx.x];
	for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = curand_uniform(&s) + curand_normal(&s) * 0;
	states[threadIdx.x] = s;
}

int main()
{
	curandState *states;
	float *x, h[256];
	CHECK(cudaMalloc(&states, 64 * sizeof(curandState)));
	CHECK(cudaMalloc(&x, sizeof h));
	init<<<1, 64>>>(states);
	CHECK(cudaGetLastError());
	draw<<<1, 64>>>(states, x, 256);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(states));
	CHECK(cudaFree(x));
	return !(h[0] > 0 && h[0] <= 1 && h[0] != h[1]);
}
