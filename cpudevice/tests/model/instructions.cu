// What a warp issues, on the chip of round figures: 4 multiprocessors have a block of 32 warps each, and issue 4 instructions in
// a cycle, so that one of each warp takes 8 ns. A kernel that stores y[i] has 12: 9 for its beginning and end, 1 for i, an
// address, the store. The rest is counted by hand beside each kernel, with the costs of cpudev_instruction_costs.h.
// BUILD: $cucc --model h100 -o $exe $case
// TEST: a product and a sum are one instruction
// RUN: modelled; columns axpy_kernel issue_us
// PRINTS: 0.104
// TEST: what is constant costs nothing
// RUN: modelled; columns constant_kernel issue_us
// PRINTS: 0.096
// Eight products and sums; the loop's variable is a constant in each.
// TEST: a loop of constant length is unrolled
// RUN: modelled; columns unrolled_kernel issue_us
// PRINTS: 0.160
// Eight rounds of a product and sum, and of one instruction for the loop.
// TEST: a loop with a constant step
// RUN: modelled; columns loop_kernel issue_us
// PRINTS: 0.224
// A product in front; four rounds of a product and sum, an addition, a comparison, a branch.
// TEST: a loop with another step is not unrolled
// RUN: modelled; columns stride_kernel issue_us
// PRINTS: 0.232
// A division of 8 before the loop; eight rounds of an addition and of one instruction for the loop.
// TEST: what does not change is computed in front of the loop
// RUN: modelled; columns invariant_kernel issue_us
// PRINTS: 0.288
// A quotient by a power of two, 3, before the loop; eight rounds of an addition and of one instruction for the loop. The
// constant and the enumerator are known in the loop's body alone.
// TEST: a constant of the loop's body
// RUN: modelled; columns named_kernel issue_us
// PRINTS: 0.248
// A comparison, and two products and sums that no lane takes part in.
// TEST: the short body of a condition that is false
// RUN: modelled; columns predicated_kernel issue_us
// PRINTS: 0.120
// A comparison and a branch past eight products and sums.
// TEST: the long body of a condition that is false
// RUN: modelled; columns branch_kernel issue_us
// PRINTS: 0.112
// Where lanes may part they meet again behind the branch: three instructions for both.
// TEST: the long body of a condition that lanes need not share
// RUN: modelled; columns parted_kernel issue_us
// PRINTS: 0.128
// A division and two sums; the root is a constant.
// TEST: the same value is computed once
// RUN: modelled; columns again_kernel issue_us
// PRINTS: 0.176
// A division takes 8 in float and 14 in double, whose store needs no more.
// TEST: a type that a template gives
// RUN: modelled; columns quotient_kernel issue_us
// PRINTS: 0.160
// PRINTS: 0.208
// A condition that the template decides: the sum is there, or not.
// TEST: a condition that a template decides
// RUN: modelled; columns decided_kernel issue_us
// PRINTS: 0.104
// PRINTS: 0.096
// A constant that is shifted is one, so that only the choice is left.
// TEST: a condition on a constant that is shifted
// RUN: modelled; columns shifted_kernel issue_us
// PRINTS: 0.104
// x % 8 of an unsigned number is one instruction, x % 7 is five, their product one.
// TEST: a remainder by a power of two
// RUN: modelled; columns remainder_kernel issue_us
// PRINTS: 0.152
// TEST: a function of the math library
// RUN: modelled; columns exp_kernel issue_us
// PRINTS: 0.176
// Two calls of a closure with a product and sum.
// TEST: what a closure computes
// RUN: modelled; columns closure_kernel issue_us
// PRINTS: 0.112
// Four rounds: a product and sum; for the loop, which all threads go through together, an addition, a comparison, a branch; a
// barrier. One more product and sum.
// TEST: a loop round a barrier
// RUN: modelled; columns together_kernel issue_us
// PRINTS: 0.264
// TEST: the kernels compute what they say
// RUN: modelled; cat $work/out
// PRINTS: all right
#include "expected.h"

#include <cmath>
#include <cstdio>

static __global__ void axpy_kernel(float *y, float a, float b)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = a * b + 1.0f;
}

static __global__ void constant_kernel(float *y)
{
	const int two = 2;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = 1.5f * (two + 1) / 4;
}

static __global__ void unrolled_kernel(float *y, float a)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = 0;
	for (int k = 0; k < 8; k++)
		v = v * a + (float)(k + 1);
	y[i] = v;
}

static __global__ void loop_kernel(float *y, float a, float b, int n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = 0;
	for (int k = 0; k < n; k++)
		v = v * a + b;
	y[i] = v;
}

static __global__ void stride_kernel(float *y, float a, float b, int n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = 0;
	for (unsigned k = 0; k < n * blockDim.x; k += blockDim.x)
		v = v * a + b;
	y[i] = v;
}

static __global__ void invariant_kernel(float *y, float a, float b, int n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = 0;
	for (int k = 0; k < n; k++)
		v += a / b;
	y[i] = v;
}

static __global__ void shifted_kernel(unsigned *y, unsigned n)
{
	const unsigned bits = 3u << 2;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = n && bits ? n : 7;
}

template <int N> static __global__ void named_kernel(unsigned *y, int n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = 0;
	for (int k = 0; k < n; k++) {
		constexpr int PARTS = N / 2;
		v += n / PARTS;
	}
	y[i] = v;
}

template <int N> static __global__ void enumerator_kernel(unsigned *y, int n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = 0;
	for (int k = 0; k < n; k++) {
		enum { PIECES = N / 4 };
		v += n / PIECES;
	}
	y[i] = v;
}

static __global__ void predicated_kernel(float *y, float a, float b, int n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = 0;
	if (n == 0) {
		v = v * a + b;
		v = v * a + b;
	}
	y[i] = v;
}

static __global__ void branch_kernel(float *y, float a, float b, int n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = 0;
	if (n == 0) {
		v = v * a + b, v = v * a + b, v = v * a + b, v = v * a + b;
		v = v * a + b, v = v * a + b, v = v * a + b, v = v * a + b;
	}
	y[i] = v;
}

static __global__ void parted_kernel(float *y, float a, float b)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = 0;
	if (i == 1u << 20) {
		v = v * a + b, v = v * a + b, v = v * a + b, v = v * a + b;
		v = v * a + b, v = v * a + b, v = v * a + b, v = v * a + b;
	}
	y[i] = v;
}

static __global__ void again_kernel(float *y, float a, float b)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	const float u = a / b, v = sqrtf(4.0f) + a / b;
	y[i] = u + v;
}

template <class T> static __global__ void quotient_kernel(T *y, T a, T b)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = a / b;
}

template <bool ADDS> static __global__ void decided_kernel(float *y, float a, float b)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = ADDS ? a + b : a;
}

static __global__ void remainder_kernel(unsigned *y, unsigned a, unsigned b)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = (a % 8) * (b % 7);
}

static __global__ void exp_kernel(float *y, float a)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = expf(a);
}

static __global__ void closure_kernel(float *y, float a, float b)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = 0;
	const auto step = [&] { v = v * a + b; };
	step();
	step();
	y[i] = v;
}

static __global__ void together_kernel(float *y, float a, float b, int n, int step)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = 0;
	for (int k = 0; k < n; k += step) {
		v = v * a + b;
		__syncthreads();
	}
	y[i] = v * a + b;
}

int main()
{
	const dim3 grid(4), block(1024);
	bool good = true;
	good &= is_so(7.0f, [=](float *y) { axpy_kernel<<<grid, block>>>(y, 2, 3); });
	good &= is_so(1.125f, [=](float *y) { constant_kernel<<<grid, block>>>(y); });
	good &= is_so(502.0f, [=](float *y) { unrolled_kernel<<<grid, block>>>(y, 2); });
	good &= is_so(765.0f, [=](float *y) { loop_kernel<<<grid, block>>>(y, 2, 3, 8); });
	good &= is_so(45.0f, [=](float *y) { stride_kernel<<<grid, block>>>(y, 2, 3, 4); });
	good &= is_so(12.0f, [=](float *y) { invariant_kernel<<<grid, block>>>(y, 3, 2, 8); });
	good &= is_so(32u, [=](unsigned *y) { named_kernel<4><<<grid, block>>>(y, 8); });
	good &= is_so(64u, [=](unsigned *y) { enumerator_kernel<4><<<grid, block>>>(y, 8); });
	good &= is_so(0.0f, [=](float *y) { predicated_kernel<<<grid, block>>>(y, 2, 3, 1); });
	good &= is_so(0.0f, [=](float *y) { branch_kernel<<<grid, block>>>(y, 2, 3, 1); });
	good &= is_so(0.0f, [=](float *y) { parted_kernel<<<grid, block>>>(y, 2, 3); });
	good &= is_so(5.0f, [=](float *y) { again_kernel<<<grid, block>>>(y, 3, 2); });
	good &= is_so(1.5f, [=](float *y) { quotient_kernel<<<grid, block>>>(y, 3.0f, 2.0f); });
	good &= is_so(1.5, [=](double *y) { quotient_kernel<<<grid, block>>>(y, 3.0, 2.0); });
	good &= is_so(5.0f, [=](float *y) { decided_kernel<true><<<grid, block>>>(y, 2, 3); });
	good &= is_so(2.0f, [=](float *y) { decided_kernel<false><<<grid, block>>>(y, 2, 3); });
	good &= is_so(5u, [=](unsigned *y) { shifted_kernel<<<grid, block>>>(y, 5); });
	good &= is_so(6u, [=](unsigned *y) { remainder_kernel<<<grid, block>>>(y, 11, 9); });
	good &= is_so(2.718281828f, [=](float *y) { exp_kernel<<<grid, block>>>(y, 1); });
	good &= is_so(9.0f, [=](float *y) { closure_kernel<<<grid, block>>>(y, 2, 3); });
	good &= is_so(93.0f, [=](float *y) { together_kernel<<<grid, block>>>(y, 2, 3, 8, 2); });
	puts(good ? "all right" : "wrong");
	return 0;
}
