// Right: local arrays, structs by value, recursion, virtual calls, malloc in a kernel.
#include "../mistake.h"

struct shape { __device__ virtual float area() const = 0; };
struct square : shape { float a; __device__ square(float a) : a(a) {} __device__ float area() const override { return a * a; } };
struct coefficients { float c[6]; };
__device__ void sort(int *v, int n)
{
	for (int i = 1; i < n; i++)
		for (int k = i; k > 0 && v[k - 1] > v[k]; k--) {
			int t = v[k];
			v[k] = v[k - 1];
			v[k - 1] = t;
		}
}
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ float horner(const coefficients &k, float x)
{
	float s = 0;
	for (int i = 5; i >= 0; i--) s = s * x + k.c[i];
	return s;
}
__global__ void all(int *x, float *y, coefficients k)
{
	int v[8], t = threadIdx.x;
	for (int i = 0; i < 8; i++) v[i] = x[(t * 8 + i * 5) % 256];
	sort(v, 8);
	__syncthreads();
	x[t] = v[3] + fib(6);
	square s(2);
	const shape *p = &s;
	y[t] = horner(k, 0.5f) + p->area();
	int *m = (int *)malloc(4 * sizeof *m);
	if (m) {
		for (int i = 0; i < 4; i++) m[i] = t;
		y[t] += m[t % 4];
		free(m);
	}
}
int main()
{
	int *x = device_array<int>(256);
	float *y = device_zeros<float>(256);
	coefficients k = {{1, 2, 3, 4, 5, 6}};
	all<<<1, 256>>>(x, y, k);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
