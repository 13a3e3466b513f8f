// A struct that a call returns is stored by a pointer to a member: text that the compiler has no tree of.
#include "../mistake.h"

struct pair { int a, b; };
struct two { pair first, second; };
__device__ __noinline__ pair made(int v) { return {v, v + 1}; }
__global__ void shift(two *x, bool second)
{
	int t = threadIdx.x;
	pair two::*which = second ? &two::second : &two::first;
	pair mine = x[(t + 1) % 64].first;
#ifdef FIXED
	__syncthreads();
#endif
	x[t].*which = made(mine.a); // BUG: racecheck
}

int main()
{
	two *x = device_zeros<two>(64);
	shift<<<1, 64>>>(x, false);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
