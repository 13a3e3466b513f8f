// Right: kernels on the host's own memory, of every kind, on a device that may use it.
// ENV: CUDA_CPU_PAGEABLE=1
#include <vector>

#include "../mistake.h"

__global__ void next(int *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i]++;
}

static int of_the_program[100];

static int off(int *x, int n, int by) // elements that are not their index + by
{
	next<<<(n + 63) / 64, 64>>>(x, n);
	CHECK(cudaDeviceSynchronize());
	int wrong = 0;
	for (int i = 0; i < n; i++) wrong += x[i] != i + by;
	return wrong;
}

int main()
{
	int pageable = 0, wrong = 0, n = 1500, of_main[100], *d;
	CHECK(cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0));
	wrong += !pageable;
	for (int i = 0; i < 100; i++) of_the_program[i] = of_main[i] = i;
	wrong += off(of_the_program, 100, 1) + off(of_main, 100, 1);

	for (int turn = 0; turn < 20; turn++) { // the same memory again and again, as another array
		int m = n + 8 * turn, *h = (int *)malloc(m * sizeof *h);
		for (int i = 0; i < m; i++) h[i] = i;
		wrong += off(h, m, 1) + off(h, m, 2);
		free(h);
	}

	std::vector<int> v(n);
	for (int i = 0; i < n; i++) v[i] = i;
	wrong += off(v.data(), n, 1);
	for (int i = n; i < 10 * n; i++) v.push_back(i + 1); // moves
	wrong += off(v.data(), 10 * n, 2);

	// Copies from it and to it; a copy of pageable memory is over when the call returns.
	int *h = new int[n];
	CHECK(cudaMalloc(&d, n * sizeof *d));
	for (int i = 0; i < n; i++) h[i] = i;
	next<<<(n + 63) / 64, 64>>>(h, n);
	CHECK(cudaMemcpyAsync(d, h, n * sizeof *d, cudaMemcpyHostToDevice));
	next<<<(n + 63) / 64, 64>>>(d, n);
	CHECK(cudaMemcpy(h, d, n * sizeof *d, cudaMemcpyDeviceToHost));
	wrong += off(h, n, 3);

	// What kernels have used may be registered afterwards, and freed when it is not any more.
	CHECK(cudaHostRegister(h, n * sizeof *h, cudaHostRegisterDefault));
	wrong += off(h, n, 4);
	CHECK(cudaHostUnregister(h));
	wrong += off(h, n, 5);
	delete[] h;
	CHECK(cudaFree(d));
	return wrong;
}
