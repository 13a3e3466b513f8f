// Right: a running kernel waits for a flag of the host, behind which the host has put its work.
#include "../mistake.h"

__global__ void serve(volatile int *flag, const int *work, int *answer)
{
	if (threadIdx.x == 0) {
		while (*flag == 0) ;
		__threadfence_system();
	}
	__syncthreads();
	answer[threadIdx.x] = work[threadIdx.x] + 1;
}
int main()
{
	int *m;
	CHECK(cudaMallocManaged(&m, 65 * sizeof *m));
	int *flag = m, *work = m + 1, *answer = m + 33;
	*flag = 0;
	serve<<<1, 32>>>(flag, work, answer);
	for (int i = 0; i < 32; i++) work[i] = i;
	__atomic_store_n(flag, 1, __ATOMIC_SEQ_CST);
	CHECK(cudaDeviceSynchronize());
	int wrong = answer[31] != 32;
	CHECK(cudaFree(m));
	return wrong;
}
