// Divergence and loops: a request of a warp is one instruction that the warp issues once, for the lanes that take part in it. So
// the rounds of a loop never share a request, and the lanes that are in the same round always do. A kernel's name is followed
// by the requests of its loads and of its stores, which the comment below it derives. One warp, unless it says more.
// BUILD: $cucc --check -O1 -o $exe $case
// TEST: requests of twenty shapes of divergence and loops
// RUN: counted; metrics 'l1tex__t_requests_pipe_lsu_mem_global_op_' '[ls][dt]' '\.sum' >$work/found
// RUN: sed -n 's/^K(\([a-z_0-9]*\), \([0-9]*\), \([0-9]*\)).*/\2 \3/p' $case | awk '{print NR " ld " $1; print NR " st " $2}' | diff - $work/found
// RUN: test $(wc -l <$work/found) -gt 40
// TEST: requests and sectors of each shape are Nsight Compute's on an H100, but where nvcc unrolls a loop
// RUN: as_recorded h100_rounds
// TEST: the requests of each shape are the same with other tools
// RUN: for tools in counters memcheck,counters racecheck,counters memcheck,racecheck,initcheck,synccheck,hostcheck,counters; do CUDA_CPU_TOOLS=$tools CUDA_CPU_COUNTERS=$work/$tools.csv $exe >$work/out 2>&1; diff $work/counters.csv $work/$tools.csv; done
// RUN: test $(grep -c requests $work/counters.csv) -gt 40
// TEST: the requests of each shape are the same without checks in bulk
// RUN: CUDA_CPU_TOOLS=counters CUDA_CPU_COUNTERS=$work/bulk.csv $exe; CUDA_CPU_BULK=0 CUDA_CPU_TOOLS=counters CUDA_CPU_COUNTERS=$work/calls.csv $exe; diff $work/bulk.csv $work/calls.csv
#include <cstdio>
#include <cuda_runtime.h>

#define LANE ((int)threadIdx.x)
static __device__ __noinline__ float at(const float *x, int i) { return x[i]; }

#define K(name, loads, stores) __global__ void name(const float *x, float *y)
// clang-format off
K(straight, 1, 1)
{ y[LANE] = x[LANE]; }
// The lanes take turns: in each of the 32 rounds one lane loads and stores.
K(serial, 32, 32)
{ for (int k = 0; k < 32; k++) if (LANE == k) y[LANE] = x[LANE]; }
// 16 lanes each, in two rounds.
K(halves, 2, 2)
{ for (int k = 0; k < 2; k++) if (LANE / 16 == k) y[LANE] = x[LANE]; }
// Round k has the lanes below k: 31 rounds of 32 have some.
K(triangle, 31, 31)
{ for (int k = 0; k < 32; k++) if (LANE < k) y[LANE] = x[LANE + k]; }
// Lane l goes l rounds; the longest goes 31, and the shorter ones leave before it.
K(own_length, 31, 0)
{ float s = 0; for (int k = 0; k < LANE; k++) s += x[k]; if (s < 0) *y = s; }
// Round j of the outer loop has an inner one of (j + l) % 4 rounds: 3 for the longest lane, in each of 5.
K(nested, 15, 0)
{ float s = 0; for (int j = 0; j < 5; j++) for (int k = 0; k < (j + LANE) % 4; k++) s += x[j + k]; if (s < 0) *y = s; }
// Every second round is left out by the even lanes, every other one by the odd ones: all 8 rounds have lanes.
K(continues, 8, 8)
{ for (int k = 0; k < 8; k++) { if ((LANE + k) & 1) continue; y[LANE] = x[LANE + k]; } }
// Lanes leave in round l / 8: the last ones see 4 rounds.
K(breaks, 4, 4)
{ for (int k = 0;; k++) { y[LANE] = x[LANE + k]; if (k == LANE / 8) break; } }
// The two branches are two instructions, of 16 lanes each.
K(branches, 2, 1)
{ float v; if (LANE & 1) v = at(x, LANE) + 1; else { v = x[LANE + 32] * 3; } y[LANE] = v; }
// The same with a loop around: 4 rounds of each branch.
K(branches_in_a_loop, 8, 4)
{ for (int k = 0; k < 4; k++) { float v; if ((LANE + k) & 1) v = at(x, LANE + k) + 1; else v = x[LANE + 32] * 3; y[LANE + 32 * k] = v; } }
// Of do-while the condition comes after the body: lane l goes max(1, l % 3) rounds.
K(do_while, 2, 2)
{ int k = 0; do { if (x) y[LANE + 32 * k] = x[LANE]; k++; } while (k < LANE % 3); }
// A load in the condition: lane l asks l % 4 + 1 times, since x is 0, 1, 2, ...
K(condition, 4, 0)
{ int k = 0; while (x[k] < (float)(LANE % 4)) { if (k > 99) return; k++; } if (k > 50) *y = 1; }
// Two loops one after the other are two places, of 32 and of 4 rounds, each with few lanes.
K(one_after_the_other, 36, 0)
{ float s = 0; for (int k = 0; k < 32; k++) if (LANE == k) s += x[k]; for (int k = 0; k < 4; k++) if (LANE % 4 == k) s += x[k]; if (s < 0) *y = s; }
// The function's load is one place in the code: 32 rounds call it, for one lane each.
K(of_a_function, 32, 1)
{ float s = 0; for (int k = 0; k < 32; k++) if (LANE == k) s += at(x, k); y[LANE] = s; }
// Rounds 0 and 31 have one lane, those between have two neighbours: lanes k and k - 1.
K(pairs, 32, 0)
{ float s = 0; for (int k = 0; k < 32; k++) if (LANE == k || LANE == k - 1) s += x[k]; if (s < 0) *y = s; }
// Lane l begins in round l: of 40 rounds each has lanes.
K(late, 40, 0)
{ float s = 0; for (int k = 0; k < 40; k++) if (k >= LANE) s += x[k]; if (s < 0) *y = s; }
// A switch: lanes of each of 4 cases, in 2 rounds; a case's load is one instruction.
K(cases, 8, 0)
{ float s = 0; for (int k = 0; k < 2; k++) switch (LANE % 4) { case 0: s += x[k]; break; case 1: s += x[k + 1] * 2; break; case 2: s += x[k + 2] * 3; break; default: s += x[k + 3] * 4; } if (s < 0) *y = s; }
// `a && b` loads for the lanes whose first half is true: lanes below 16 in round 0, the others in round 1.
K(short_circuit, 2, 0)
{ int n = 0; for (int k = 0; k < 2; k++) if (LANE / 16 == k && x[LANE] > 100) n++; if (n) *y = 1; }
// Three loops deep, and one lane in each of the 32 innermost rounds.
K(cube, 32, 32)
{ for (int a = 0; a < 2; a++) for (int b = 0; b < 4; b++) for (int c = 0; c < 4; c++) if (LANE == 16 * a + 4 * b + c) y[LANE] = x[LANE]; }
// Lanes that leave the kernel in round l / 4: rounds 0 to 7, and the lanes that are left store.
K(returns, 8, 8)
{ for (int k = 0; k < 8; k++) { if (k > LANE / 4) return; y[LANE + 32 * k] = x[LANE]; } }
// A loop that all lanes go through alike, with a guard that is the same for all: 3 of 6 rounds.
K(uniform, 3, 3)
{ for (int k = 0; k < 6; k++) if (k & 1) y[LANE + 32 * k] = x[LANE]; }
// Before and after a barrier: 4 rounds, then 2.
K(barrier, 6, 0)
{ float s = 0; for (int k = 0; k < 4; k++) if (LANE % 4 == k) s += x[k]; __syncthreads(); for (int k = 0; k < 2; k++) if (LANE % 2 == k) s += x[k]; if (s < 0) *y = s; }
// A barrier in the loop: each of the 8 rounds has 4 lanes.
K(barrier_inside, 8, 8)
{ for (int k = 0; k < 8; k++) { if (LANE / 4 == k) y[LANE] = x[LANE]; __syncthreads(); } }
// clang-format on

int main()
{
    static void (*const kernels[])(const float *, float *) = {straight,
                                                              serial,
                                                              halves,
                                                              triangle,
                                                              own_length,
                                                              nested,
                                                              continues,
                                                              breaks,
                                                              branches,
                                                              branches_in_a_loop,
                                                              do_while,
                                                              condition,
                                                              one_after_the_other,
                                                              of_a_function,
                                                              pairs,
                                                              late,
                                                              cases,
                                                              short_circuit,
                                                              cube,
                                                              returns,
                                                              uniform,
                                                              barrier,
                                                              barrier_inside};
    enum { N = 1024 };
    float *x, *y, values[N];
    for (int i = 0; i < N; i++)
        values[i] = (float)i;
    cudaMalloc(&x, sizeof values), cudaMalloc(&y, sizeof values);
    cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice);
    for (auto kernel : kernels)
        kernel<<<1, 32>>>(x, y);
    cudaError_t e = cudaDeviceSynchronize();
    cudaFree(x), cudaFree(y);
    printf("%s\n", cudaGetErrorString(e));
    return e != cudaSuccess;
}
