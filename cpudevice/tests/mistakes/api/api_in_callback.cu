// A host function that runs in a stream calls CUDA.
#include "../mistake.h"

struct Job { int *d, done; };
static void finished(void *p)
{
	Job *job = (Job *)p;
	job->done = 1;
#ifndef FIXED
	cudaMemset(job->d, 0, 64 * sizeof(int)); // BUG: memcheck
#endif
}
int main()
{
	Job job = {device_zeros<int>(64), 0};
	cudaStream_t s;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaLaunchHostFunc(s, finished, &job));
	CHECK(cudaStreamSynchronize(s));
	CHECK(cudaMemset(job.d, 0, 64 * sizeof(int)));
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaFree(job.d));
	return !job.done;
}
