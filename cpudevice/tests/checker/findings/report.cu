// What `cucc --check` prints and writes: the paragraph, the summary line, the exit status, the JSON, the choice of tools, and
// no repetition.
// BUILD: $cucc --check -o $exe $case
// TEST: the paragraphs of a report
// RUN: $exe
// STATUS: 99
// MATCHES: ^done$
// MATCHES: ^memcheck: out of bounds: just past the end of an allocation$
// MATCHES: kernel over(int\*, int), launched at .*report.cu:{line over<<<}
// MATCHES: block (0,0,0), thread (100,0,0) writes 4 bytes$
// MATCHES: at .*report.cu:{line x[i] = n;}$
// MATCHES: | x\[i\] = n;$
// MATCHES: memory: numbers: 400 bytes, cudaMalloc at .*report.cu:{line cudaMalloc(&numbers}
// MATCHES: ^racecheck: race in shared memory
// SAYS: shared array tile, 256 bytes
// MATCHES: usual cause: .*__syncthreads()
// MATCHES: ^cucc --check: 2 errors (memcheck 1, racecheck 1, initcheck 0, synccheck 0, hostcheck 0)$
// COUNT: 1 ^memcheck:
// TEST: the program's own output is untouched
// RUN: $exe 2>$work/err || :
// PRINTS: done
// 28 threads in each of five launches: counted, not repeated.
// TEST: the JSON counts accesses
// RUN: CUDA_CPU_REPORT=$work/report.json $exe >$work/out 2>&1 || grep '"kind": "out-of-bounds"' $work/report.json
// SAYS: "count": 140}
// TEST: the JSON has both lines of a race
// RUN: CUDA_CPU_REPORT=$work/report.json $exe >$work/out 2>&1 || grep '"tool": "racecheck"' $work/report.json
// MATCHES: "line": {line tile[threadIdx.x]}.*"other": {.*"line": {line tile[63}\|"line": {line tile[63}.*"other": {.*"line": {line tile[threadIdx.x]}
// TEST: the JSON's brackets and quotes match
// RUN: CUDA_CPU_REPORT=$work/report.json $exe >$work/out 2>&1 || brackets_match $work/report.json
// TEST: one tool finds what is its own
// RUN: CUDA_CPU_TOOLS=racecheck $exe
// STATUS: 99
// MATCHES: ^cucc --check: 1 error (memcheck 0, racecheck 1
// TEST: tools that find nothing leave the exit status alone
// RUN: CUDA_CPU_TOOLS=synccheck,hostcheck $exe
// MATCHES: ^cucc --check: 0 errors
// TEST: a wrong tool's name
// RUN: CUDA_CPU_TOOLS=memchek $exe
// STATUS: 2
// SAYS: unknown tool 'memchek'
#include <cstdio>
#include <cuda_runtime.h>
__global__ void over(int *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	x[i] = n;
}
__global__ void race(int *x)
{
	__shared__ int tile[64];
	tile[threadIdx.x] = x[threadIdx.x];
	x[threadIdx.x] = tile[63 - threadIdx.x];
}
int main()
{
	int *numbers;
	cudaMalloc(&numbers, 100 * sizeof(int));
	cudaMemset(numbers, 0, 100 * sizeof(int));
	for (int i = 0; i < 5; i++) over<<<1, 128>>>(numbers, i);
	race<<<1, 64>>>(numbers);
	cudaDeviceSynchronize();
	cudaFree(numbers);
	puts("done");
	return 0;
}
