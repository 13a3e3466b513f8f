// Objects whose members are what functions return are made in place, past the end.
#include "../mistake.h"
#include <new>

struct point { float x, y; };
__device__ __noinline__ point at(int i) { point p; p.x = i, p.y = i; return p; }
struct line {
	point from, to;
	__device__ line(int i) : from(at(i)), to(at(i + 1)) {} // BUG: memcheck
};
__global__ void lines(line *x, int n)
{
	int i = threadIdx.x;
#ifdef FIXED
	if (i < n)
#endif
		new (x + i) line(i);
}

int main()
{
	int n = 50;
	line *x;
	CHECK(cudaMalloc(&x, n * sizeof *x));
	lines<<<1, 64>>>(x, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
