// An operator takes structs by value from shared memory, with no barrier after the stores.
#include "../mistake.h"

struct vec { float x, y; };
__device__ __noinline__ vec operator+(vec a, vec b) { vec c; c.x = a.x + b.x, c.y = a.y + b.y; return c; }
__global__ void neighbours(const vec *in, vec *out)
{
	__shared__ vec tile[64];
	int t = threadIdx.x;
	tile[t] = in[t];
#ifdef FIXED
	__syncthreads();
#endif
	out[t] = tile[t] + tile[(t + 1) % 64]; // BUG: racecheck
}

int main()
{
	vec *in = device_zeros<vec>(64), *out = device_zeros<vec>(64);
	neighbours<<<1, 64>>>(in, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
}
