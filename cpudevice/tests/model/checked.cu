// A program that cucc --check has compiled, under the model of the chip of round figures: 4 multiprocessors have a block of 8 warps
// each, and issue 4 instructions in a cycle of 1 ns. A warp loads, uses the value once, and stores: 3 x 8 / 4 = 6 ns. The rest
// of its instructions is not counted, and that is said.
// BUILD: $cucc --check -o $exe $case
// TEST: without cucc --model accesses and one use of each value are issued
// RUN: modelled; columns scale_kernel issue_us
// PRINTS: 0.006
// TEST: a launch whose instructions are not counted says so
// RUN: modelled; columns scale_kernel note
// MATCHES: instructions other than accesses are not counted (cucc --model counts them)
// TEST: the table says that arithmetic is not counted
// RUN: modelled; cat $work/table
// SAYS: the arithmetic of programs that cucc --check has compiled is not counted; cucc --model counts it
// TEST: the same program of cucc --model says nothing of it
// RUN: $cucc --model h100 -o $exe $case; modelled; cat $work/table $work/model.csv
// LACKS: not counted
static __global__ void scale_kernel(const float *x, float *y)
{
	y[blockIdx.x * blockDim.x + threadIdx.x] = 3 * x[blockIdx.x * blockDim.x + threadIdx.x] + 1;
}

int main()
{
	float *x, *y;
	cudaMalloc(&x, 4 * 256 * sizeof *x);
	cudaMalloc(&y, 4 * 256 * sizeof *y);
	cudaMemset(x, 0, 4 * 256 * sizeof *x);
	scale_kernel<<<4, 256>>>(x, y);
	cudaDeviceSynchronize();
}
