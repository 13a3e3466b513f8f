// Right: arrays of the thread's own, sorted, searched and walked through pointers up to their very ends.
#include "../mistake.h"

struct Matrix {
	float m[3][3];
	__device__ float *row(int i) { return m[i]; }
};
__device__ void sort(int *v, int n)
{
	for (int i = 1; i < n; i++)
		for (int k = i; k > 0 && v[k - 1] > v[k]; k--) {
			int t = v[k];
			v[k] = v[k - 1];
			v[k - 1] = t;
		}
}
template <int N> __device__ int largest(const int (&v)[N])
{
	int most = v[0];
	for (const int *p = v; p != v + N; p++) most = max(most, *p);
	return most;
}
__device__ int length(const char *s)
{
	const char *p = s;
	while (*p) p++;
	return p - s;
}
template <class T> __device__ void clear(T *p, int n)
{
	for (int i = 0; i < n; i++) p[i] = T();
}
__global__ void walk(const int *in, int *out)
{
	int v[9], w[4] = {4, 3, 2, 1}, *end = w + 4;
	char text[7] = {'a', 'b', 'c', 'd', 'e', 'f', 0};
	double grid[3][5];
	Matrix m[2];
	short odd[5];
	for (int i = 0; i < 9; i++) v[i] = in[(threadIdx.x * 9 + i) % 256];
	sort(v, 9);
	clear(&grid[0][0], 15);
	clear(odd, 5);
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++) m[1].row(i)[k] = i * k;
	int sum = 0;
	for (int *p = w; p < end; p++) sum += *p;
	switch (threadIdx.x % 3) {
	case 0:
		int kept[2];
		clear(kept, 2);
		sum += kept[1];
		break;
	default:
		sum += odd[4];
	}
	out[threadIdx.x] = sum + largest(v) + length(text) + (int)grid[2][4] + (int)m[1].row(2)[2] + largest(w);
}
int main()
{
	int *in = device_array<int>(256), *out = device_zeros<int>(64);
	walk<<<1, 64>>>(in, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
}
