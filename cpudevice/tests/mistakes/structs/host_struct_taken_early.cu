// A class within a function of the host hands a managed struct by value to a function while a kernel still uses it.
#include "../mistake.h"

struct triple { int a[3]; };
__global__ void ones(triple *x) { x[threadIdx.x].a[1] = 1; }
static __attribute__((noinline)) int sum(triple t) { return t.a[0] + t.a[1] + t.a[2]; }

int main()
{
	triple *x;
	CHECK(cudaMallocManaged(&x, 32 * sizeof *x));
	for (int i = 0; i < 32; i++)
		x[i] = {{0, 0, 0}};
	ones<<<1, 32>>>(x);
#ifdef FIXED
	CHECK(cudaDeviceSynchronize());
#endif
	struct {
		int of;
		void add(const triple *x)
		{
			of += sum(x[3]); // BUG: hostcheck
		}
	} total = {0};
	total.add(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	return total.of != 1;
}
