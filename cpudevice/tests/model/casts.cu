// A known variable behind a cast that needs a variable: the text of its value, 5u, cannot stand there in what counts instructions.
// BUILD: $cucc --model h100 -o $exe $case
// TEST: casts of known variables to references compile
// RUN: $exe
// SAYS: 1 1 1 1 1 1 2 2
using Reference = const unsigned &;

static __global__ void casts_kernel(unsigned *y)
{
	unsigned v = 5u;
	const unsigned w = 6u;
	y[0] = y[0] && const_cast<const unsigned &>(v);
	y[1] = y[1] && const_cast<Reference>(v);
	y[2] = y[2] && (const unsigned &)w;
	y[3] = y[3] && reinterpret_cast<const unsigned &>(v);
	y[4] = y[4] && static_cast<unsigned &&>(7u);
	y[5] = y[5] && const_cast<const volatile unsigned &>(w);
	y[6] = y[6] / const_cast<const unsigned &>(v);
	y[7] = y[7] / (const unsigned &)w;
}

#include <cstdio>

int main()
{
	unsigned *y;
	cudaMallocManaged(&y, 8 * sizeof *y);
	for (int i = 0; i < 8; i++)
		y[i] = 12;
	casts_kernel<<<1, 1>>>(y);
	cudaDeviceSynchronize();
	for (int i = 0; i < 8; i++)
		printf(i < 7 ? "%u " : "%u\n", y[i]);
}
