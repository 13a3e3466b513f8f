// 15: error: expression must be a modifiable lvalue
// 16: error: expression must be a modifiable lvalue
// 17: error: expression must be a modifiable lvalue
// 18: error: expression must be a modifiable lvalue
// 19: error: expression must be a modifiable lvalue
// 20: error: expression must be a modifiable lvalue
// 21: error: expression must be a modifiable lvalue
__constant__ int scalar;
static __constant__ float ratio = 0.5f, *address;
__device__ __constant__ unsigned long long mask, masks[2];
extern __constant__ size_t elsewhere;
__device__ int *result(int *p) { return p; }
__global__ void k(int *p)
{
    scalar = p[0];
    scalar++;
    (ratio) *= 2;
    address = nullptr;
    mask <<= 1;
    *result(p) = --scalar;
    p[1] = elsewhere = 3;
}
