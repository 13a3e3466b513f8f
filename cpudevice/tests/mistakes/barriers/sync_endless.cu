// A loop whose counter is never increased.
#include "../mistake.h"

__global__ void collatz(int *x)
{
	int v = x[threadIdx.x] + 1, steps = 0;
	while (v != 1) { // BUG: synccheck
#ifdef FIXED
		v = v % 2 ? 3 * v + 1 : v / 2;
#else
		v = v % 2 ? 3 * v - 1 : v / 2;
#endif
		steps++;
	}
	x[threadIdx.x] = steps;
}

int main()
{
	int *x = device_array<int>(32);
	collatz<<<1, 32>>>(x);
	cudaDeviceSynchronize();
	cudaFree(x);
}
