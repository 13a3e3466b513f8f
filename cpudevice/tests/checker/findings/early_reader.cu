// A thread reads what an asynchronous copy fills, and nothing orders the read and the copy. The findings are the same, at the
// same lines, whichever comes first: the last to come to a barrier goes on first. A reader that knows that the copy has begun has not
// read what was never written.
// BUILD: $cucc --check -g -o $exe $case
// TEST: the read comes before the copy
// RUN: $exe 0
// STATUS: 99
// MATCHES: ^racecheck: shared memory is read while an asynchronous copy fills it
// MATCHES: at .*early_reader.cu:{line y[0] = }$
// SAYS: the thread has not waited for the phase of its mbarrier
// MATCHES: ^initcheck: shared memory is read before anything was written there
// COUNT: 2 at .*early_reader.cu:{line y[0] = }$
// COUNT: 2 ^[a-z]*check:
// TEST: the copy begins before the read
// RUN: CUDA_CPU_ORDER=reverse $exe 0
// STATUS: 99
// MATCHES: ^racecheck: shared memory is read while an asynchronous copy fills it
// SAYS: the thread has not waited for the phase of its mbarrier
// MATCHES: ^initcheck: shared memory is read before anything was written there
// COUNT: 2 at .*early_reader.cu:{line y[0] = }$
// COUNT: 2 ^[a-z]*check:
// TEST: the copy has begun before a barrier
// RUN: $exe 1
// STATUS: 99
// MATCHES: ^racecheck: shared memory is read while an asynchronous copy fills it
// COUNT: 1 ^[a-z]*check:
// TEST: the copy has begun before a barrier, in another order
// RUN: CUDA_CPU_ORDER=reverse $exe 1
// STATUS: 99
// MATCHES: ^racecheck: shared memory is read while an asynchronous copy fills it
// COUNT: 1 ^[a-z]*check:
#include "../../mistakes/async.h"

__global__ void early(const float *x, float *y, int barrier)
{
	__shared__ __align__(128) float tile[32];
	__shared__ uint64_t full;
	if (threadIdx.x == 0) INIT(&full, 1);
	__syncthreads();
	if (threadIdx.x == 0) {
		EXPECT(&full, 128);
		BULK_LOAD(tile, x, 128, &full);
	}
	if (barrier) __syncthreads();
	if (threadIdx.x == 63) y[0] = tile[0];
	else if (threadIdx.x == 0) WAIT(&full, 0);
}

int main(int, char **argv)
{
	float *x = device_array<float>(32), *y = device_array<float>(64);
	early<<<1, 64>>>(x, y, atoi(argv[1]));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
