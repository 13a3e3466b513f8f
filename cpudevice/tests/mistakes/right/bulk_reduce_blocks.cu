// Two writers of each of eight blocks have the copy engine add to the same sums: each element is added atomically.
#include "../async.h"

enum { FLOATS = 256 };

__global__ void add(float *sums)
{
	__shared__ __align__(128) float part[2][FLOATS];
	for (int i = threadIdx.x; i < 2 * FLOATS; i += blockDim.x)
		part[i / FLOATS][i % FLOATS] = 1 + blockIdx.x + i % 7;
	PROXY_FENCE();
	__syncthreads();
	if (threadIdx.x % 32 == 0) {
		asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(sums),
		             "r"(SHARED(part[threadIdx.x / 32])), "r"(FLOATS * 4)
		             : "memory");
		COMMIT();
		WAIT_READ(0);
	}
}

int main()
{
	float *sums = device_zeros<float>(FLOATS);
	add<<<8, 64>>>(sums);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(sums));
	return 0;
}
