// Lanes that take turns in a loop's condition or step, whose body is one straight line: requests of one lane each. (In a program
// that has no operators or constructors of its own, for with those every loop says in which round a lane is.)
// BUILD: $cucc --check -O1 -w -o $exe $case
// TEST: requests of turns in the heads of loops
// RUN: sed -n 's/^K(\([a-z_0-9]*\), \([0-9]*\)).*/\2/p' $case | awk '{print NR " ld " $1; print NR " st " $1}' >$work/wanted; counted; metrics 'l1tex__t_requests_pipe_lsu_mem_global_op_' '[ls][dt]' '\.sum' | diff $work/wanted -
// RUN: test $(wc -l <$work/wanted) = 10
#include <cstdio>
#include <cuda_runtime.h>

#define LANE ((int)threadIdx.x)
#define K(name, requests) __global__ void name(const float *x, float *y)
// clang-format off
K(turn_in_the_step, 32)
{ for (int k = 0; k < 32; (k == LANE ? (void)(y[LANE] = x[LANE]) : (void)0), k++); }
K(turn_in_the_condition, 32)
{ int k = 0; while (((k == LANE && (y[LANE] = x[LANE], 0)), ++k < 32)); }
K(turn_in_the_condition_of_a_for, 32)
{ int s = 0; for (int k = 0; (k == LANE ? (void)(y[LANE] = x[LANE]) : (void)0), k < 32; k++) s += k; if (s < 0) *y = s; }
K(turn_in_the_condition_of_a_do, 32)
{ int k = 0, s = 0; do s += k; while ((k == LANE && (y[LANE] = x[LANE], 0)) || ++k < 32); if (s < 0) *y = s; }
K(no_turn, 1)
{ int k = 0; while (++k < 32 && k < 9); y[LANE + k] = x[LANE]; }
// clang-format on

#define R(k) k<<<1, 32>>>(x, y);
int main()
{
    float *x, *y;
    cudaMalloc(&x, 4096), cudaMalloc(&y, 4096);
    cudaMemset(x, 0, 4096);
    R(turn_in_the_step) R(turn_in_the_condition) R(turn_in_the_condition_of_a_for) R(turn_in_the_condition_of_a_do) R(no_turn)
    cudaError_t e = cudaDeviceSynchronize();
    cudaFree(x), cudaFree(y);
    printf("%s\n", cudaGetErrorString(e));
    return e != cudaSuccess;
}
