// dump regions
// rule fresh: what a region does not set before it reads it comes from another region
struct __device_builtin__ uint3 { unsigned x, y, z; };
extern const uint3 threadIdx;
__global__ void k(int *out, const int *in, int n)
{
    __shared__ int s[64];
    int i, sum, kept, sometimes, goes_on, passed;
    sum = in[threadIdx.x];
    kept = sum;
    goes_on = 0;
    for (i = 0; i < 4; i++)
        sum += i;
    s[threadIdx.x] = sum;
    __syncthreads();
    sum = kept;
    for (i = 0; i < 64; i++)
        sum += s[i];
    if (sum & 1)
        sometimes = 1;
    passed = 3;
    int *p = &passed;
    for (int j = 0; j < n; j++) {
        __syncthreads();
        goes_on += s[j];
    }
    out[threadIdx.x] = sum + goes_on + sometimes + *p + passed;
}
