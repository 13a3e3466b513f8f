// A struct is copied to the device, but not what its pointer points to.
#include "../mistake.h"

struct vec { int n; float *data; };
__global__ void sum(const vec *v, float *out)
{
	float s = 0;
	for (int i = 0; i < v->n; i++) s += v->data[i]; // BUG: memcheck
	*out = s;
}

int main()
{
	float h[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	vec v = {8, h}, *d = device_zeros<vec>(1);
	float *out = device_zeros<float>(1);
#ifdef FIXED
	CHECK(cudaMalloc(&v.data, sizeof h));
	CHECK(cudaMemcpy(v.data, h, sizeof h, cudaMemcpyHostToDevice));
#endif
	CHECK(cudaMemcpy(d, &v, sizeof v, cudaMemcpyHostToDevice));
	sum<<<1, 1>>>(d, out);
	cudaDeviceSynchronize();
#ifdef FIXED
	CHECK(cudaFree(v.data));
#endif
	CHECK(cudaFree(d));
	CHECK(cudaFree(out));
}
