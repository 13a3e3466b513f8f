// dump print
__device__ void last_warp(volatile float *s, int t) { s[t] += s[t + 16]; (s[t]) = s[t] + s[(t + 8)]; }
__global__ void k(float *x, volatile int *flag)
{
    float volatile __shared__ s[64];
    volatile float one = 1;
    if (threadIdx.x < 16) s[threadIdx.x] = x[0] = s[threadIdx.x + 16];
    // none of these is an exchange
    s[0] += s[0];
    flag[0] = 1;
    one = one + x[1];
    x[0] = x[1];
    s[1] = x[0];
}
__host__ void on_the_host(volatile float *s) { s[0] += s[1]; }
