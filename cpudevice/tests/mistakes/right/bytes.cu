// Right: neighbouring bytes and halves of one word belong to different threads.
#include "../mistake.h"

__global__ void rgb(const unsigned char *in, unsigned char *out, short *wide, int n)
{
	__shared__ unsigned char s[129];
	int i = blockIdx.x * 128 + threadIdx.x;
	s[threadIdx.x] = i < n ? in[i] : 0;
	if (threadIdx.x == 0) s[128] = 7;
	__syncthreads();
	if (i < n) {
		out[i] = s[127 - threadIdx.x] + s[threadIdx.x + 1];
		wide[i] = out[i];
	}
}
int main()
{
	int n = 1001;
	unsigned char *in = device_array<unsigned char>(n), *out, *h = (unsigned char *)malloc(n);
	short *wide;
	CHECK(cudaMalloc(&out, n));
	CHECK(cudaMalloc(&wide, n * sizeof *wide));
	rgb<<<8, 128>>>(in, out, wide, n);
	CHECK(cudaMemcpy(h, out, n, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
	CHECK(cudaFree(wide));
	free(h);
}
