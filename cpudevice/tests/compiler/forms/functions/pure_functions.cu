// dump calls
__device__ int twice(int x) { return 2 * x; }
__device__ int four(int x) { return twice(twice(x)); }
__device__ int waits(int x) { __syncthreads(); return x; }
__device__ int calls_it(int x) { return waits(x); }
__device__ int unknown_call(int x) { return something(x); }
__device__ void counts(int *p) { atomicAdd(p, 1); }
__device__ void spins(int *p) { while (atomicAdd(p, 0) == 0) *p = 1; }
__device__ int recursive(int n) { return n ? recursive(n - 1) : 0; }
