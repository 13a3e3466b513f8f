// A virtual function of an object that the host made and copied.
#include <new>
#include "../mistake.h"

struct shape { __host__ __device__ virtual float area() const { return 0; } };
struct square : shape {
	float side;
	__host__ __device__ square(float s) : side(s) {}
	__host__ __device__ float area() const override { return side * side; }
};

__global__ void make(square *s) { new (s) square(3); }
__global__ void measure(const shape *s, float *x) { *x = s->area(); } // BUG: memcheck

int main()
{
	square *d;
	float *x;
	CHECK(cudaMalloc(&d, sizeof *d));
	CHECK(cudaMalloc(&x, sizeof *x));
#ifdef FIXED
	make<<<1, 1>>>(d);
#else
	square h(3);
	CHECK(cudaMemcpy((void *)d, (void *)&h, sizeof h, cudaMemcpyHostToDevice));
#endif
	measure<<<1, 1>>>(d, x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(d));
	CHECK(cudaFree(x));
}
