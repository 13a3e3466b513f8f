// Lanes that take turns, in every form that the language has for it: however the turns are written, each is a request of one
// lane. A kernel's name is followed by the requests of its loads, and of its stores, which are as many: 32 turns of one lane, or 8
// of four. The loops that tests/counters/rounds.cu has are not here again.
// BUILD: $cucc --check -O1 -w -o $exe $case
// TEST: requests of turns in each form
// RUN: sed -n 's/^K(\([a-z_0-9]*\), \([0-9]*\)).*/\2/p' $case | awk '{print NR " ld " $1; print NR " st " $1}' >$work/wanted; counted; metrics 'l1tex__t_requests_pipe_lsu_mem_global_op_' '[ls][dt]' '\.sum' | diff $work/wanted -
// RUN: test $(wc -l <$work/wanted) -gt 100
// TEST: requests of turns in each form, on fibers
// RUN: $cucc --check --fibers -O2 -w -o $work/turns $case; CUDA_CPU_TOOLS=counters CUDA_CPU_COUNTERS=$work/counts.csv $work/turns; metrics 'l1tex__t_requests_pipe_lsu_mem_global_op_' '[ls][dt]' '\.sum' | diff $work/wanted -
// TEST: requests of turns in each form, where g++ inlines nothing
// RUN: $cucc --check -O0 -w -o $work/turns $case; CUDA_CPU_TOOLS=counters CUDA_CPU_COUNTERS=$work/counts.csv $work/turns; metrics 'l1tex__t_requests_pipe_lsu_mem_global_op_' '[ls][dt]' '\.sum' | diff $work/wanted -
// TEST: requests of turns in each form, where g++ inlines and unrolls
// RUN: $cucc --check -O3 -w -o $work/turns $case; CUDA_CPU_TOOLS=counters CUDA_CPU_COUNTERS=$work/counts.csv $work/turns; metrics 'l1tex__t_requests_pipe_lsu_mem_global_op_' '[ls][dt]' '\.sum' | diff $work/wanted -
// TEST: a function of constants of C++11 is one
// RUN: printf 'constexpr __host__ __device__ int power(int n) { return n ? 2 * power(n - 1) : 1; }\nstatic_assert(power(5) == 32, "");\n__global__ void k(int *y) { *y = power(*y); }\n' >$work/old.cu; $cucc --check -std=c++11 -c -o $work/old.o $work/old.cu
#include <cstdio>
#include <cuda_runtime.h>
#include <initializer_list>

#define LANE ((int)threadIdx.x)
#define K(name, requests) __global__ void name(const float *x, float *y)
// clang-format off
// ---- loops that are no for, while or do of a kernel's own text ----
K(range_of_an_array, 32)
{ char a[32]; int k = 0; for (char &c : a) { if (k++ == LANE) y[LANE] = x[LANE]; (void)c; } }
struct Range { int n; struct It { int k; __device__ int operator*() const { return k; } __device__ It &operator++() { k++; return *this; } __device__ bool operator!=(It o) const { return k != o.k; } }; __device__ It begin() const { return {0}; } __device__ It end() const { return {n}; } };
K(range_of_a_class, 32)
{ for (int k : Range{32}) if (k == LANE) y[LANE] = x[LANE]; }
K(range_of_a_list, 32)
{ for (int j : {0, 1, 2, 3}) for (int k : {0, 1, 2, 3, 4, 5, 6, 7}) if (8 * j + k == LANE) y[LANE] = x[LANE]; }
K(range_of_a_list_by_fours, 8)
{ for (int k : {0, 1, 2, 3, 4, 5, 6, 7}) if (LANE / 4 == k) y[LANE] = x[LANE]; }
K(loop_in_a_lambda, 32)
{ auto f = [&] { for (int k = 0; k < 32; k++) if (k == LANE) y[LANE] = x[LANE]; }; f(); }
K(while_in_a_lambda, 32)
{ [=] { int k = 0; while (k < 32) { if (k == LANE) y[LANE] = x[LANE]; k++; } }(); }
K(loop_in_a_method, 32)
{ struct S { static __device__ void go(const float *x, float *y, int l) { for (int k = 0; k < 32; k++) if (k == l) y[l] = x[l]; } }; S::go(x, y, LANE); }
K(loop_in_an_expression, 32)
{ int n = ({ int k = 0; for (; k < 32; k++) if (k == LANE) y[LANE] = x[LANE]; k; }); (void)n; }
K(loop_under_a_condition_that_declares, 32)
{ if (int n = 32; n) for (int k = 0; k < n; k++) if (k == LANE) y[LANE] = x[LANE]; }
K(while_that_declares, 32)
{ int k = 0; while (int left = 32 - k) { if (k == LANE) y[LANE] = x[LANE]; k++; (void)left; } }
K(loop_beside_a_goto, 32)
{ for (int k = 0; k < 32; k++) if (k == LANE) y[LANE] = x[LANE]; if (!x) goto end; return; end: y[0] = 0; }
K(loop_with_a_label, 32)
{ for (int k = 0; k < 32; k++) here: if (k == LANE) y[LANE] = x[LANE]; if (!x) goto end; end: ; }
K(loop_in_a_switch, 32)
{ int k = 0; switch (x ? 1 : 0) { case 0: for (; k < 32; k++) { case 1: if (k == LANE) y[LANE] = x[LANE]; } } }
K(turn_in_the_step, 32)
{ for (int k = 0; k < 32; (k == LANE ? (void)(y[LANE] = x[LANE]) : (void)0), k++); }
K(turn_in_the_condition, 32)
{ int k = 0; while (((k == LANE && (y[LANE] = x[LANE], 0)), ++k < 32)); }
K(turn_in_words, 32)
{ for (int k = 0; k < 32; k++) (void)(k == LANE and (y[LANE] = x[LANE], true)); }
K(turn_by_a_pointer, 32)
{ for (int k = 0; k < 32; k++) { const bool mine = k == LANE; float *to = mine ? y + LANE : (float *)0; while (to) { *to = x[LANE]; to = 0; } } }
static constexpr __device__ void loops(const float *x, float *y, int l) { for (int k = 0; k < 32; k++) if (k == l) y[l] = x[l]; }
K(loop_in_a_constexpr_function, 32)
{ loops(x, y, LANE); }
// ---- functions that call themselves, or others ----
static __device__ void turn(const float *x, float *y, int k) { if (k == LANE) y[LANE] = x[LANE]; if (k < 31) turn(x, y, k + 1); }
K(recursion, 32)
{ turn(x, y, 0); }
static __device__ void turn_a(const float *x, float *y, int k);
static __device__ void turn_b(const float *x, float *y, int k) { if (k == LANE) y[LANE] = x[LANE]; if (k < 31) turn_a(x, y, k + 1); }
static __device__ void turn_a(const float *x, float *y, int k) { turn_b(x, y, k); }
K(recursion_of_two, 32)
{ turn_a(x, y, 0); }
static __device__ void after(const float *x, float *y, int k) { if (k < 31) after(x, y, k + 1); if (k == LANE) y[LANE] = x[LANE]; }
K(recursion_first, 32)
{ after(x, y, 0); }
K(recursion_of_a_lambda, 32)
{ auto f = [&](auto self, int k) -> void { if (k == LANE) y[LANE] = x[LANE]; if (k < 31) self(self, k + 1); }; f(f, 0); }
K(recursion_of_a_method, 32)
{ struct S { static __device__ void go(const float *x, float *y, int k, int l) { if (k == l) y[l] = x[l]; if (k < 31) go(x, y, k + 1, l); } }; S::go(x, y, 0, LANE); }
K(recursion_by_a_pointer, 32)
{ typedef void (*F)(void *, const float *, float *, int); F f = [](void *p, const float *x, float *y, int k) { if (k == LANE) y[LANE] = x[LANE]; if (k < 31) (*(F *)p)(p, x, y, k + 1); }; f(&f, x, y, 0); }
struct Op { const float *x; float *y; __device__ void operator()(int k) const { if (k == LANE) y[LANE] = x[LANE]; if (k < 31) (*this)(k + 1); } };
K(recursion_of_an_operator, 32)
{ Op{x, y}(0); }
struct Made { __device__ Made(const float *x, float *y, int k) { if (k == LANE) y[LANE] = x[LANE]; if (k < 31) Made(x, y, k + 1); } };
K(recursion_of_a_constructor, 32)
{ Made(x, y, 0); }
struct Ended { const float *x; float *y; int k; __device__ ~Ended() { if (k == LANE) y[LANE] = x[LANE]; if (k < 31) Ended{x, y, k + 1}; } };
K(recursion_of_a_destructor, 32)
{ Ended{x, y, 0}; }
static __device__ int value(const float *x, float *y, int k) { return k < 32 ? (k == LANE ? (y[LANE] = x[LANE], 0) : 0) + value(x, y, k + 1) : 0; }
K(recursion_in_an_expression, 32)
{ value(x, y, 0); }
static constexpr __device__ void constant_turn(const float *x, float *y, int k, int l) { if (k == l) y[l] = x[l]; if (k < 31) constant_turn(x, y, k + 1, l); }
K(recursion_of_a_constexpr_function, 32)
{ constant_turn(x, y, 0, LANE); }
template <class F> static __device__ void times(int n, F f) { for (int k = 0; k < n; k++) f(k); }
K(loop_that_is_given_the_turn, 32)
{ times(32, [&](int k) { if (k == LANE) y[LANE] = x[LANE]; }); }
template <class F> static __device__ void levels(int k, F f) { f(k); if (k < 31) levels(k + 1, f); }
K(recursion_that_is_given_the_turn, 32)
{ levels(0, [&](int k) { if (k == LANE) y[LANE] = x[LANE]; }); }
static __device__ __noinline__ void one(const float *x, float *y, bool mine) { if (mine) y[LANE] = x[LANE]; }
#define FOUR(k) one(x, y, LANE == k), one(x, y, LANE == k + 1), one(x, y, LANE == k + 2), one(x, y, LANE == k + 3);
K(call_for_each_turn, 32)
{ FOUR(0) FOUR(4) FOUR(8) FOUR(12) FOUR(16) FOUR(20) FOUR(24) FOUR(28) }
template <int N> static __device__ void unrolled(const float *x, float *y) { if (LANE == N) y[LANE] = x[LANE]; if constexpr (N < 31) unrolled<N + 1>(x, y); }
K(template_for_each_turn, 32)
{ unrolled<0>(x, y); }
template <int N> static __device__ void calls(const float *x, float *y) { one(x, y, LANE == N); if constexpr (N < 31) calls<N + 1>(x, y); }
K(template_that_calls, 32)
{ calls<0>(x, y); }
template <int... N> static __device__ void folded(const float *x, float *y, int) { ((LANE == N ? (void)(y[LANE] = x[LANE]) : (void)0), ...); }
K(fold_for_each_turn, 32)
{ folded<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31>(x, y, 0); }
struct Sum { float *y; const float *x; __device__ void operator+=(int k) { if (k == LANE) y[LANE] = x[LANE]; } };
K(operator_in_a_loop, 32)
{ Sum a{y, x}; for (int k = 0; k < 32; k++) a += k; }
K(constructor_in_a_loop, 32)
{ struct T { __device__ T(float *y, const float *x, int k, int l) { if (k == l) y[l] = x[l]; } }; for (int k = 0; k < 32; k++) T t{y, x, k, LANE}; }
// ---- what all lanes do together beside the turns ----
static __device__ void wait() { __syncthreads(); }
K(barrier_never, 32)
{ for (int k = 0; k < 32; k++) { if (k == LANE) y[LANE] = x[LANE]; if (!x) __syncthreads(); } }
K(barrier_at_last, 32)
{ for (int k = 0; k < 32; k++) { if (k == LANE) y[LANE] = x[LANE]; if (k == 31) __syncthreads(); } }
K(barrier_of_a_function, 32)
{ for (int k = 0; k < 32; k++) { if (k == LANE) y[LANE] = x[LANE]; if (k == 31) wait(); } }
K(barrier_in_a_while, 32)
{ int k = 0; while (k < 32) { if (LANE == k) y[LANE] = x[LANE]; if (k == 31) wait(); k++; } }
K(barrier_in_a_do_while, 32)
{ int k = 0; do { if (LANE == k) y[LANE] = x[LANE]; if (k == 31) wait(); } while (++k < 32); }
K(barrier_around, 32)
{ for (int j = 0; j < 2; j++) { for (int k = 0; k < 32; k++) if (k == LANE && !j) y[LANE] = x[LANE]; __syncthreads(); } }
K(barrier_of_a_range, 8)
{ for (int k : {0, 1, 2, 3, 4, 5, 6, 7}) { if (LANE / 4 == k) y[LANE] = x[LANE]; if (k == 7) __syncthreads(); } }
static __device__ void to_the_barrier(const float *x, float *y, int k) { if (k == LANE) y[LANE] = x[LANE]; if (k < 31) to_the_barrier(x, y, k + 1); else __syncthreads(); }
K(barrier_of_a_recursion, 32)
{ to_the_barrier(x, y, 0); }
K(warp_waits, 32)
{ for (int k = 0; k < 32; k++) { if (k == LANE) y[LANE] = x[LANE]; __syncwarp(); } }
K(warp_votes, 32)
{ int k = 0; while (__any_sync(~0u, k < 32)) { if (k == LANE) y[LANE] = x[LANE]; k++; } }
K(warp_exchanges, 32)
{ for (int k = 0; k < 32; k++) if (__shfl_sync(~0u, k, k) == LANE) y[LANE] = x[LANE]; }
// ---- no turns: these must not be taken apart ----
K(function_called_by_all, 1)
{ one(x, y, true); }
static __device__ inline void inlined(const float *x, float *y, bool mine) { if (mine) y[LANE] = x[LANE]; }
K(function_before_a_barrier, 1)
{ inlined(x, y, x); __syncthreads(); }
K(recursion_of_all, 3)
{ auto f = [&](auto self, int k) -> void { y[LANE + 32 * k] = x[LANE]; if (k < 2) self(self, k + 1); }; f(f, 0); }
K(lanes_that_return_early, 1)
{ auto f = [](const float *p, int n) { for (int k = 0; k < n; k++) if (k > n / 2) return k; return 0; }; const int k = f(x, LANE % 7); y[LANE] = x[LANE + k]; }
K(call_that_some_lanes_make, 2)
{ if (LANE & 1) one(x, y, true); y[LANE + 32] = x[LANE]; }
K(loop_of_own_length_before, 1)
{ int n = 0; for (int k = 0; k < LANE; k++) if (k & 1) n++; y[LANE] = x[LANE + n]; }
// clang-format on

// Functions of constants are constants under --check, too.
constexpr __host__ __device__ int sum_below(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        if (i & 1)
            s += i;
    return s;
}
static_assert(sum_below(6) == 9, "");
constexpr __host__ __device__ int power(int n) { return n ? 2 * power(n - 1) : 1; }
static_assert(power(5) == 32, "");
__device__ int places[power(3)];

#define R(k) k<<<1, 32>>>(x, y);
int main()
{
    float *x, *y;
    cudaMalloc(&x, 4096), cudaMalloc(&y, 4096);
    cudaMemset(x, 0, 4096);
    // clang-format off
    R(range_of_an_array) R(range_of_a_class) R(range_of_a_list) R(range_of_a_list_by_fours) R(loop_in_a_lambda)
    R(while_in_a_lambda) R(loop_in_a_method) R(loop_in_an_expression) R(loop_under_a_condition_that_declares)
    R(while_that_declares) R(loop_beside_a_goto) R(loop_with_a_label) R(loop_in_a_switch) R(turn_in_the_step)
    R(turn_in_the_condition) R(turn_in_words) R(turn_by_a_pointer) R(loop_in_a_constexpr_function) R(recursion)
    R(recursion_of_two) R(recursion_first) R(recursion_of_a_lambda) R(recursion_of_a_method) R(recursion_by_a_pointer)
    R(recursion_of_an_operator) R(recursion_of_a_constructor) R(recursion_of_a_destructor)
    R(recursion_in_an_expression) R(recursion_of_a_constexpr_function) R(loop_that_is_given_the_turn)
    R(recursion_that_is_given_the_turn) R(call_for_each_turn) R(template_for_each_turn) R(template_that_calls)
    R(fold_for_each_turn) R(operator_in_a_loop) R(constructor_in_a_loop) R(barrier_never) R(barrier_at_last)
    R(barrier_of_a_function) R(barrier_in_a_while) R(barrier_in_a_do_while) R(barrier_around) R(barrier_of_a_range)
    R(barrier_of_a_recursion) R(warp_waits) R(warp_votes) R(warp_exchanges) R(function_called_by_all) R(function_before_a_barrier)
    R(recursion_of_all) R(lanes_that_return_early) R(call_that_some_lanes_make) R(loop_of_own_length_before)
    // clang-format on
    cudaError_t e = cudaDeviceSynchronize();
    cudaFree(x), cudaFree(y);
    printf("%s\n", cudaGetErrorString(e));
    return e != cudaSuccess;
}
