// Right: rows of a pitched allocation; the padding between them is never touched.
#include "../mistake.h"

__global__ void fill(float *a, size_t pitch, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
	if (x < w && y < h) ((float *)((char *)a + y * pitch))[x] = x + y;
}
int main()
{
	int w = 100, h = 20;
	float *d, *host = (float *)malloc(w * h * sizeof *host);
	size_t pitch;
	CHECK(cudaMallocPitch(&d, &pitch, w * sizeof *d, h));
	fill<<<dim3(1, h), 128>>>(d, pitch, w, h);
	CHECK(cudaMemcpy2D(host, w * sizeof *host, d, pitch, w * sizeof *host, h, cudaMemcpyDeviceToHost));
	int bad = host[w * h - 1] != w + h - 2;
	CHECK(cudaFree(d));
	free(host);
	return bad;
}
