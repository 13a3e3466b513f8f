// Arithmetic in double on the chip of round figures, whose multiprocessor does 32 multiply-adds in double in a cycle, or 8
// conversions; both go on at the same time. There are 4 multiprocessors with a block of 256 threads each: an operation of all
// threads takes 8 ns, a conversion 32. What the kernels compute is compared with the host.
// BUILD: $cucc --model h100 -o $exe $case
// TEST: arithmetic in double: the numbers are the host's
// RUN: modelled; cat $work/out
// PRINTS: all right
// TEST: a product and a sum in double are one operation
// RUN: modelled; columns axpy_kernel math_us
// PRINTS: 0.008
// TEST: two products and a sum are two
// RUN: modelled; columns products_kernel math_us
// PRINTS: 0.016
// TEST: a float beside a double is converted, and back
// RUN: modelled; columns promoted_kernel math_us
// PRINTS: 0.064
// TEST: a float that is changed by a double
// RUN: modelled; columns changed_kernel math_us
// PRINTS: 0.064
// TEST: a constant is converted by the compiler
// RUN: modelled; columns constant_kernel math_us
// PRINTS: 0.008
// TEST: a division in double takes twelve
// RUN: modelled; columns quotient_kernel math_us
// PRINTS: 0.096
// TEST: a division by a power of two is a product
// RUN: modelled; columns half_kernel math_us
// PRINTS: 0.008
// The root takes 13.
// TEST: functions in double
// RUN: modelled; columns root_kernel math_us
// PRINTS: 0.104
// TEST: what a function returns is converted
// RUN: modelled; columns scaled_kernel math_us
// PRINTS: 0.064
// TEST: arithmetic in float, and what the compiler computes, is not counted
// RUN: modelled; columns float_kernel math_us
// PRINTS: 0.000
// TEST: a comparison in double
// RUN: modelled; columns compare_kernel math_us
// PRINTS: 0.008
// Each multiprocessor issues 4 warps' instructions in a cycle. 8 warps begin and end (9), compute i (1) and two addresses,
// load, store, and compute once.
// TEST: what is computed in double is issued
// RUN: modelled; columns axpy_kernel issue_us
// PRINTS: 0.030
#include <cmath>
#include <cstdio>

enum { N = 1024 };

static __global__ void axpy_kernel(const double *x, double *y, double a)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = a * x[i] + 1.0;
}

static __global__ void products_kernel(const double *x, double *y, double a)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	const double v = x[i];
	y[i] = a * v + v * v;
}

static __global__ void promoted_kernel(const float *x, float *y)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = x[i] * 1.702;
}

static __global__ void changed_kernel(float *y, double a)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] += a;
}

static __global__ void constant_kernel(double *y, double a)
{
	constexpr double half = 1.0 / 2.0;
	static_assert(half * 2.0 == 1.0, "a constant expression");
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = a - 3;
}

static __global__ void quotient_kernel(const double *x, double *y)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = 1.0 / x[i];
}

static __global__ void half_kernel(const double *x, double *y)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = x[i] / 2.0;
}

static __global__ void root_kernel(const double *x, double *y)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = sqrt(x[i]);
}

static __device__ float scaled(float x) { return 1.702 * x; }

static __global__ void scaled_kernel(const float *x, float *y)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = scaled(x[i]);
}

static __global__ void float_kernel(const float *x, float *y)
{
	const float one = (float)(0.5 * 2.0 * (1.0 + 0.0)), zero = 0.0;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = sqrtf(x[i]) / (one + x[i]) * (float)i + zero;
}

static __global__ void compare_kernel(const double *x, int *y)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = x[i] < 3.5;
}

struct buffers {
	double x[N], y[N];
	float f[N], g[N];
	int n[N];
};

// What is in y, g or n behind each launch, against the host's own.
template <class Launch, class T, class Expected>
static bool is_so(buffers *b, T(buffers::*of)[N], Launch launch, Expected expected)
{
	static buffers h;
	for (int i = 0; i < N; i++)
		h.x[i] = 1 + i, h.f[i] = h.g[i] = (float)(1 + i);
	cudaMemcpy(b, &h, sizeof h, cudaMemcpyHostToDevice);
	launch();
	cudaMemcpy(&h, b, sizeof h, cudaMemcpyDeviceToHost);
	bool good = true;
	for (int i = 0; i < N; i++)
		good &= std::fabs((double)(h.*of)[i] - (double)expected((double)(1 + i))) <= 1e-6 * std::fabs((double)expected((double)(1 + i)));
	return good;
}

int main()
{
	buffers *b;
	cudaMalloc(&b, sizeof *b);
	const dim3 grid(4), block(256);
	bool good = true;
	good &= is_so(b, &buffers::y, [=] { axpy_kernel<<<grid, block>>>(b->x, b->y, 3); }, [](double x) { return 3 * x + 1; });
	good &= is_so(b, &buffers::y, [=] { products_kernel<<<grid, block>>>(b->x, b->y, 3); }, [](double x) { return 3 * x + x * x; });
	good &= is_so(b, &buffers::g, [=] { promoted_kernel<<<grid, block>>>(b->f, b->g); }, [](double x) { return x * 1.702; });
	good &= is_so(b, &buffers::g, [=] { changed_kernel<<<grid, block>>>(b->g, 0.5); }, [](double x) { return x + 0.5; });
	good &= is_so(b, &buffers::y, [=] { constant_kernel<<<grid, block>>>(b->y, 8.0); }, [](double) { return 5.0; });
	good &= is_so(b, &buffers::y, [=] { quotient_kernel<<<grid, block>>>(b->x, b->y); }, [](double x) { return 1 / x; });
	good &= is_so(b, &buffers::y, [=] { half_kernel<<<grid, block>>>(b->x, b->y); }, [](double x) { return x / 2; });
	good &= is_so(b, &buffers::y, [=] { root_kernel<<<grid, block>>>(b->x, b->y); }, [](double x) { return std::sqrt(x); });
	good &= is_so(b, &buffers::g, [=] { scaled_kernel<<<grid, block>>>(b->f, b->g); }, [](double x) { return x * 1.702; });
	good &= is_so(b, &buffers::g, [=] { float_kernel<<<grid, block>>>(b->f, b->g); },
	              [](double x) { return std::sqrt(x) / (1 + x) * (x - 1); });
	good &= is_so(b, &buffers::n, [=] { compare_kernel<<<grid, block>>>(b->x, b->n); }, [](double x) { return x < 3.5; });
	puts(good ? "all right" : "wrong");
	cudaFree(b);
	return 0;
}
