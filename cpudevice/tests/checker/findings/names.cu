// An allocation goes by the variable that holds it: several on one line, in a loop, in a function of the program's own.
// Equal code at the ends of branches keeps its lines. (clang makes one store of those of all branches, without a line.)
// BUILD: $cucc --check -o $exe $case
// Of each: the line of the access, the name, and the line that made it or that called what made it.
// TEST: names of allocations
// SKIPS: clang makes one store of those of all branches
// RUN: case $cxx in *clang*) echo "names: clang makes one store of those of all branches"; exit ;; esac
// RUN: CUDA_CPU_TOOLS=memcheck $exe >$work/out 2>&1 || names $work/out | head -n 7
// PRINTS: {line a[100]} a {line cudaMalloc(&a,}
// PRINTS: {line b[100]} b {line cudaMalloc(&a,}
// PRINTS: {line row[100]} rows[i] {line cudaMalloc(&rows[i]}, the 2nd of 3 made there
// PRINTS: {line x[100]} x {line float *x = zeros}
// PRINTS: {line y[100]} y {line float *x = zeros}
// PRINTS: {line z[100]} z {line make(&z}
// PRINTS: {line v[100]} d_v {line = fill(100)}
#include <cuda_runtime.h>
static float *zeros(int n) { float *p; cudaMalloc(&p, n * sizeof *p); return p; }
__attribute__((noinline)) void make(float **out, int n)
{
	cudaMalloc(out, n * sizeof **out);
}
__global__ void over(float *a, float *b, float *row, float *x, float *y, float *z, int which)
{
	if (which == 0) a[100] = 1;
	if (which == 1) b[100] = 1;
	if (which == 2) row[100] = 1;
	if (which == 3) x[100] = 1;
	if (which == 4) y[100] = 1;
	if (which == 5) z[100] = 1;
}
__global__ void beyond(float *v) { v[100] = 1; }
__attribute__((noinline)) cudaError_t fill(int n) // what its call gives is no allocation
{
	float *d_v;
	cudaError_t status = cudaMalloc(&d_v, n * sizeof *d_v);
	if (status == cudaSuccess) beyond<<<1, 1>>>(d_v);
	return status;
}
int main()
{
	float *a, *b, *rows[3], *z;
	if (cudaMalloc(&a, 400) || cudaMalloc((void **)&b, 400)) return 1;
	for (int i = 0; i < 3; i++)
		cudaMalloc(&rows[i], 400);
	float *x = zeros(100), *y = zeros(100);
	make(&z, 100);
	for (int which = 0; which < 6; which++) over<<<1, 1>>>(a, b, rows[1], x, y, z, which);
	cudaError_t error = fill(100);
	cudaDeviceSynchronize();
	return error;
}
