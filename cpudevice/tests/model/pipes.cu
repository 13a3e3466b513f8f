// The pipes of a multiprocessor, on the chip of round figures: in a cycle, which is a nanosecond, the ALU and FMA do 64 lanes,
// integer products 32, special functions and conversions 16. Each of the 4 multiprocessors has a block of 1024 threads, so that
// an instruction of all threads takes a pipe 16 ns; 32 as an integer product, and 64 in XU. Beside each kernel is what it has,
// by the costs of cpudev_instruction_costs.h, and all have two integer products: one for i, one for the address of y[i].
// The tests that begin with "nvcc" ask nvcc's code for sm_90a: how much it has for the ALU, FMA, integer products and XU.
// BUILD: $cucc --model h100 -o $exe $case
// SKIPS: no nvcc or nvdisasm
// 64 products and sums in FMA, and the two: 66 * 16 ns.
// TEST: products and sums of floats
// RUN: modelled 64 64 32 16; columns fma_kernel math_us limiter
// PRINTS: 1.056 math
// 32 rounds of a conversion and an exclusive or, and a shift to the right: 65 * 16 ns. nvcc gives the shift to the left, and i's sum
// with n, to either pipe. Issuing takes longer.
// TEST: conversions of integers to floats, and logic
// RUN: modelled 64 64 32 16; columns to_float_kernel math_us limiter
// PRINTS: 1.040 issue
// 32 conversions in XU: 32 * 64 ns.
// TEST: conversions of floats to integers
// RUN: modelled 64 64 32 16; columns to_int_kernel math_us limiter
// PRINTS: 2.048 math
// 32 special functions: 32 * 64 ns.
// TEST: special functions
// RUN: modelled 64 64 32 16; columns exp_kernel math_us limiter
// PRINTS: 2.048 math
// 40 integer products and sums, and the two: 42 * 32 ns.
// TEST: integer products
// RUN: modelled 64 64 32 16; columns imad_kernel math_us limiter
// PRINTS: 1.344 math
// 8 divisions with 3 instructions each in XU: 24 * 64 ns. The ALU has 8 * 9 * 16, integer products take (8 * 4 + 2) * 32.
// TEST: integer division
// RUN: modelled 64 64 32 16; columns divide_kernel math_us limiter
// PRINTS: 1.536 issue
// TEST: the kernels of each pipe compute what they say
// RUN: modelled 64 64 32 16; cat $work/out
// PRINTS: all right
// TEST: nvcc: products and sums of floats
// RUN: machine_code fma_kernel
// PRINTS: 0 66 2 0
// TEST: nvcc: conversions of integers to floats, and logic
// RUN: machine_code to_float_kernel
// PRINTS: 65 33 2 0
// nvcc has one instruction for two exclusive ors, the model one for each.
// TEST: nvcc: conversions of floats to integers
// RUN: machine_code to_int_kernel
// PRINTS: 16 34 2 32
// TEST: nvcc: special functions
// RUN: machine_code exp_kernel
// PRINTS: 32 98 2 32
// TEST: nvcc: integer products
// RUN: machine_code imad_kernel
// PRINTS: 1 42 42 0
// nvcc takes the absolute value of n once, the model eight times.
// TEST: nvcc: integer division
// RUN: machine_code divide_kernel
// PRINTS: 64 34 34 24
#include "expected.h"

#include <cmath>
#include <cstdio>

static __global__ void fma_kernel(float *y, float a, float b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = b;
	for (int k = 0; k < 64; k++)
		v = v * a + b;
	y[i] = v;
}

static __global__ void to_float_kernel(float *y, unsigned n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned m = n + (i >> 20); // nvcc must not see that all threads have the same
	float v = 0;
	for (int k = 0; k < 32; k++) {
		m = (m << 3) ^ n;
		v += (float)m;
	}
	y[i] = v;
}

static __global__ void to_int_kernel(int *y, float a)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int m = 0;
	float v = a;
	for (int k = 0; k < 32; k++) {
		v *= a;
		m ^= (int)v;
	}
	y[i] = m;
}

static __global__ void exp_kernel(float *y, float a)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = a;
	for (int k = 0; k < 32; k++)
		v = __expf(-v);
	y[i] = v;
}

static __global__ void imad_kernel(int *y, int n, int m)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	m += i >> 20;
	for (int k = 0; k < 40; k++)
		m = m * m + n;
	y[i] = m;
}

static __global__ void divide_kernel(int *y, int n, int m)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int k = 0; k < 8; k++)
		m = n / m;
	y[i] = m;
}

int main()
{
	const dim3 grid(4), block(1024);
	unsigned m = 5;
	float sum = 0;
	int mixed = 0;
	float v = 1.5f;
	for (int k = 0; k < 32; k++) {
		m = (m << 3) ^ 5;
		sum += (float)m;
		v *= 1.5f;
		mixed ^= (int)v;
	}
	bool good = true;
	good &= is_so(65.0f, [=](float *y) { fma_kernel<<<grid, block>>>(y, 1, 1); });
	good &= is_so(sum, [=](float *y) { to_float_kernel<<<grid, block>>>(y, 5); });
	good &= is_so(mixed, [=](int *y) { to_int_kernel<<<grid, block>>>(y, 1.5f); });
	good &= is_so(0.5671433f, [=](float *y) { exp_kernel<<<grid, block>>>(y, 1); });
	good &= is_so(-1, [=](int *y) { imad_kernel<<<grid, block>>>(y, -1, -1); });
	good &= is_so(7, [=](int *y) { divide_kernel<<<grid, block>>>(y, 100, 7); });
	puts(good ? "all right" : "wrong");
	return 0;
}
