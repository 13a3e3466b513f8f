// Right: 16 bytes that are two cuFloatComplex lie at a multiple of 8; a cuDoubleComplex would have to lie at one of 16.
#include "../mistake.h"
#include <cuComplex.h>

template <class T> struct two { T a, b; };
struct record { double time; two<cuFloatComplex> value; };

__global__ void copies(const record *x, record *y)
{
	int i = threadIdx.x;
	y[i].time = x[i].time;
	two<cuFloatComplex> v = x[i].value; y[i].value = v;
	*(two<cuFloatComplex> *)&y[i].value = *(const two<cuFloatComplex> *)&x[i].value;
}

int main()
{
	record *x = device_zeros<record>(32), *y = device_zeros<record>(32);
	copies<<<1, 32>>>(x, y);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
